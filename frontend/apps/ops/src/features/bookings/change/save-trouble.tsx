import { queryClient } from '@portage/frame';
import type { ApiProblem } from '@portage/api';
import { announce, ErrorState, Notice } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';

/** Calls `onBack` once, when the browser says that it is online again or something else was read from the server. */
function useBack(waits: boolean, onBack: () => void): void {
  const back = useEffectEvent(onBack);
  useEffect(() => {
    if (!waits) return undefined;
    let isBack = false;
    const once = () => {
      if (!isBack) back();
      isBack = true;
    };
    addEventListener('online', once);
    const stop = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success' && !event.action.manual) once();
    });
    return () => {
      removeEventListener('online', once);
      stop();
    };
  }, [waits]);
}

interface LostProps {
  /** It will be saved without a press; done once for a press. */
  byItself: boolean;
  failure: ApiProblem;
  onAgain: () => void;
}

/** Nobody answered Save: it is done again when the connection is back, and by a button before. */
export function Lost({ byItself, failure, onAgain }: LostProps) {
  const { t } = useTranslation('change');
  useBack(byItself, () => {
    announce(t('save.again'));
    onAgain();
  });
  return (
    <>
      <ErrorState led failure={failure} title={t('save.failed')} onRetry={onAgain} />
      {byItself ? <p className="pg-muted">{t('save.waits')}</p> : null}
    </>
  );
}

/** Somebody deleted the booking while it was changed here. What was typed stays in the form, to be copied. */
export function Deleted({ led }: { led: boolean }) {
  const { t } = useTranslation(['change', 'record']);
  return (
    <Notice
      tone="error"
      live
      led={led}
      title={t('change:gone.title')}
      action={<Link to="/bookings">{t('record:back')}</Link>}
    >
      {t('change:gone.text')}
    </Notice>
  );
}
