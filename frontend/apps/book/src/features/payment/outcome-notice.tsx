import type { EstimateWarning } from '@portage/api';
import { formatMoney, useLanguage } from '@portage/i18n';
import { Notice, useLeadTo } from '@portage/kit';
import { CardProblem, isAboutCard } from '@portage/payments';
import { useTranslation } from 'react-i18next';

import { AskPerson } from '../../booking/ask/ask-person.tsx';
import { addressRefusal } from '../../booking/draft/address-refusal.ts';
import { obstacleOf, useWarningText, warningOf } from '../../booking/estimate/crew-warnings.tsx';
import { CorrectAddress } from '../../booking/estimate/problem-state.tsx';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import classes from './payment.module.css';
import type { Outcome } from './use-payment.ts';

/** Why the move cannot be booked as it is, with the pieces it is about. */
function Warned({ warning }: { warning: EstimateWarning }) {
  return <p>{useWarningText()(warning)}</p>;
}

/** Where a problem is said: at the card that was not taken, or at the button that was to book. */
export type Place = 'card' | 'button';

function placeOf({ from, problem }: Outcome): Place {
  return from !== 'booking' || (problem !== null && isAboutCard(problem)) ? 'card' : 'button';
}

interface OutcomeNoticeProps {
  outcome: Outcome;
  total: string;
  /** It is drawn at each of the places, and shows what is to be said at this one. */
  at: Place;
}

/** What went wrong, in our words or the rule's own, and that nothing typed is lost. The focus goes to it. */
export function OutcomeNotice({ outcome, total, at }: OutcomeNoticeProps) {
  const { t } = useTranslation(['payment', 'common', 'payments']);
  const language = useLanguage();
  const { problem, from } = outcome;
  const here = placeOf(outcome) === at;
  const box = useLeadTo<HTMLDivElement>(here ? problem : null);
  if (!problem || from === null || !here) return null;

  if (problem.code === 'price_changed') {
    return (
      <div ref={box} tabIndex={-1} className={classes['outcome']}>
        <Notice tone="warning" live title={t('payment:price.changedTitle', { amount: formatMoney(total, language) })}>
          {t('payment:price.changed')}
        </Notice>
      </div>
    );
  }
  const silent = problem.status === 0 || problem.status >= 500;
  const title =
    from === 'booking'
      ? t('payment:booking.failed')
      : silent
        ? t('payments:card.notChecked')
        : problem.status === 429
          ? t('payments:card.tooMany')
          : t('payments:card.refused');
  const warning = from === 'booking' ? warningOf(problem) : null;
  const asked =
    warning?.code === 'contact_support'
      ? obstacleOf(warning)
      : problem.code === 'too_long'
        ? ('too_long' as const)
        : null;
  const refused = from === 'booking' ? addressRefusal(problem) : null;
  return (
    <div ref={box} tabIndex={-1} className={classes['outcome']}>
      <Notice tone="error" live title={title}>
        {refused ? <p>{refused.text}</p> : warning ? <Warned warning={warning} /> : <CardProblem problem={problem} />}
        <p>{from === 'booking' ? t('payment:kept.notBooked') : t('payment:kept.notCharged')}</p>
        {refused ? (
          <p>
            <CorrectAddress refusal={refused} />
          </p>
        ) : null}
        {problem.requestId ? (
          <p className="pg-small">{t('common:error.requestId', { id: problem.requestId })}</p>
        ) : null}
        {asked ? <AskPerson why={[asked]} /> : null}
        {problem.status >= 500 ? <SupportLinks /> : null}
      </Notice>
    </div>
  );
}
