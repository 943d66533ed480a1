import { Button } from '@mantine/core';
import type { ApiProblem } from '@portage/api';
import { ErrorState, Notice, PageHeading } from '@portage/kit';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../app/chat/support-links.tsx';
import classes from './payment.module.css';

/** The booking was sent and no answer came: the same try is sent again, which can neither book nor charge twice. */
export function Unanswered({
  pay,
  busy,
  problem,
}: {
  pay: () => Promise<void>;
  busy: boolean;
  problem: ApiProblem | null;
}) {
  const { t } = useTranslation(['payment', 'common']);
  // it takes the place of a long form that was scrolled to its end
  useEffect(() => window.scrollTo(0, 0), []);
  // the server was reached, and says itself who is silent
  const unavailable = problem?.code === 'payment_unavailable';
  return (
    <>
      <PageHeading
        title={t('payment:unanswered.title')}
        lead={unavailable ? undefined : t('payment:unanswered.lead')}
      />
      {problem ? (
        <div className={classes['outcome']}>
          {unavailable ? (
            <Notice tone="error" live title={t('payment:unanswered.still')}>
              <p>{t('payment:gateway.noAnswer')}</p>
              {problem.requestId ? (
                <p className="pg-small">{t('common:error.requestId', { id: problem.requestId })}</p>
              ) : null}
            </Notice>
          ) : (
            <ErrorState failure={problem} title={t('payment:unanswered.still')} />
          )}
        </div>
      ) : null}
      <div className={classes['actions']}>
        <Button size="lg" loading={busy} onClick={() => void pay()}>
          {t('payment:unanswered.check')}
        </Button>
      </div>
      <div className={classes['support']}>
        <SupportLinks />
      </div>
    </>
  );
}
