import { asProblem, newIdempotencyKey } from '@portage/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * One wish about money. It is sent with the same key until an answer came or the wish changed (`renew`), so that a
 * second press after a lost answer is not a second payment.
 */
export function usePress<Told>(send: (key: string) => Promise<Told>, onDone: (told: Told) => void) {
  const queries = useQueryClient();
  const key = useRef(newIdempotencyKey());
  const renew = () => {
    key.current = newIdempotencyKey();
  };
  const press = useMutation({
    mutationFn: () => send(key.current),
    onSuccess: onDone,
    onError: (error) => {
      const { status } = asProblem(error);
      if (status > 0 && status < 500) renew();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  return { press, renew };
}
