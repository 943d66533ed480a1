import type { ApiProblem } from '@portage/api';
import { parseCents } from '@portage/domain';
import { BusyButton, ErrorState, Notice, PageHeading } from '@portage/kit';
import { formatCalendarDate, formatDayAndClock, formatMoney, formatWallTime, useLanguage } from '@portage/i18n';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { attempts } from './attempt.ts';
import classes from './payment.module.css';
import type { Progress } from './use-payment.ts';

/** The booking was sent and no answer came: the same try is sent again, which can neither book nor charge twice. */
export function Unanswered({
  pay,
  progress,
  problem,
}: {
  pay: () => Promise<void>;
  progress: Progress;
  problem: ApiProblem | null;
}) {
  const { t } = useTranslation(['payment', 'checkout', 'common', 'payments']);
  const language = useLanguage();
  // the one that was sent, whatever the draft holds by now
  const [sent] = useState(() => attempts.unanswered()?.body.bookingRequest);
  // it takes the place of a long form that was scrolled to its end
  useEffect(() => {
    // no expression body: newer browsers answer a promise, which React would call as the clean-up
    window.scrollTo(0, 0);
  }, []);
  // the server was reached, and says itself who is silent
  const working =
    progress === 'working' || problem?.code === 'request_in_flight' || problem?.code === 'payment_in_flight';
  const unavailable = problem?.code === 'payment_unavailable';
  return (
    <>
      <PageHeading
        title={t('payment:unanswered.title')}
        lead={unavailable || working ? undefined : t('payment:unanswered.lead')}
      />
      {sent?.date && sent.time && parseCents(String(sent.expectedTotal)) !== null ? (
        <p className={classes['sent']} data-testid="sent-move">
          {t('payment:unanswered.move', {
            when: formatDayAndClock(
              formatCalendarDate(sent.date, language, { dateStyle: 'full' }),
              formatWallTime(sent.time, language),
              language,
            ),
            total: formatMoney(sent.expectedTotal, language),
          })}
        </p>
      ) : null}
      {working ? (
        <div className={classes['outcome']}>
          <Notice live>{t('payment:progress.working')}</Notice>
        </div>
      ) : problem ? (
        <div className={classes['outcome']}>
          {unavailable ? (
            <Notice tone="error" live title={t('payment:unanswered.still')}>
              <p>{t('payments:gateway.noAnswer')}</p>
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
        <BusyButton size="lg" loading={progress !== 'idle'} onClick={() => void pay()}>
          {t('checkout:unanswered.check')}
        </BusyButton>
      </div>
      <div className={classes['support']}>
        <SupportLinks />
      </div>
    </>
  );
}
