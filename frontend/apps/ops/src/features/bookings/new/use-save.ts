import { api, type ApiProblem, asProblem, newIdempotencyKey, type PhoneOrder, unwrap } from '@portage/api';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** Whether nobody knows if it was booked: the same content then goes out with the same key, and is booked once. */
export function isUnanswered({ status, code }: ApiProblem): boolean {
  return status === 0 || status >= 500 || code === 'request_in_flight' || code === 'payment_in_flight';
}

/** The server has not looked at it: the same content may come again as the same attempt. */
const notLookedAt = new Set([401, 408, 429]);

/** Books. One key for each attempt of the same content, whatever became of its answer. */
export function useSave(onBooked: (booked: { id: string; shortId: string; total: string }) => void) {
  const attempt = useRef<{ key: string; content: string } | null>(null);
  return useMutation({
    mutationFn: (body: PhoneOrder) => {
      const content = JSON.stringify(body);
      if (attempt.current?.content !== content) attempt.current = { key: newIdempotencyKey(), content };
      return unwrap(api.POST('/bookings', { params: { header: { 'Idempotency-Key': attempt.current.key } }, body }));
    },
    onSuccess: onBooked,
    onError: (error) => {
      const problem = asProblem(error);
      // refused: the key would only bring the same refusal again
      if (!isUnanswered(problem) && !notLookedAt.has(problem.status)) attempt.current = null;
    },
  });
}
