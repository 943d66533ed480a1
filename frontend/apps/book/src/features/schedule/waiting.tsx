import { queryClient } from '@portage/frame';
import { ErrorState, LoadingState } from '@portage/kit';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** How long somebody looks at grey bars before the page says that no answer comes. */
const patience = 12_000;

/** What the starts are read with: the way, the price that knows the duration, and the starts themselves. */
const questions = new Set<unknown>(['/geo/route', '/booking/estimate', '/availability']);

/** Gives up the calls that hang and makes them again: a call under way would only be waited for once more. */
async function askAgain(): Promise<void> {
  const mine = { predicate: ({ queryKey }: { queryKey: QueryKey }) => questions.has(queryKey[0]) };
  await queryClient.cancelQueries(mine);
  await queryClient.refetchQueries({ ...mine, type: 'active' });
}

/** Grey bars while the starts are on their way; a server that does not answer at all is told, with another try. */
export function Waiting() {
  const { t } = useTranslation('common');
  const [tries, setTries] = useState(0);
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), patience);
    return () => clearTimeout(timer);
  }, [tries]);
  if (!long) return <LoadingState rows={3} height={44} />;
  return (
    <ErrorState
      failure={{ status: 0, detail: '', requestId: null }}
      title={t('page.loadFailed')}
      onRetry={() => {
        setLong(false);
        setTries((now) => now + 1);
        void askAgain();
      }}
    />
  );
}
