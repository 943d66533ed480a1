import { Notice } from '@portage/kit';
import { formatMoney, useLanguage } from '@portage/i18n';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../app/chat/support-links.tsx';
import classes from './payment.module.css';
import type { Outcome } from './use-payment.ts';

/** What went wrong, in the gateway's or the rule's own words, and that nothing typed is lost. */
export function OutcomeNotice({ outcome, total }: { outcome: Outcome; total: string }) {
  const { t } = useTranslation(['payment', 'common']);
  const language = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const { problem, from } = outcome;
  useEffect(() => {
    if (!problem) return;
    box.current?.focus();
    box.current?.scrollIntoView({ block: 'center' });
  }, [problem]);
  if (!problem || from === null) return null;

  const reason =
    problem.status === 0
      ? t('common:error.network')
      : problem.code === 'payment_unavailable'
        ? t('payment:gateway.noAnswer')
        : problem.status >= 500
          ? t('common:page.serverError')
          : problem.detail || t('common:error.generic');
  if (problem.code === 'price_changed') {
    return (
      <div ref={box} tabIndex={-1} className={classes['outcome']}>
        <Notice tone="warning" live title={t('payment:price.changedTitle', { amount: formatMoney(total, language) })}>
          {t('payment:price.changed')}
        </Notice>
      </div>
    );
  }
  const declined = problem.status === 402 || problem.code === 'payment_declined';
  const prefix =
    from === 'customer' ? t('payment:payment.prefix') : from === 'card' ? t('payment:payment.cardPrefix') : '';
  const silent = problem.status === 0 || problem.status >= 500;
  const title =
    from === 'booking'
      ? t('payment:booking.failed')
      : silent
        ? t('payment:card.notChecked')
        : t('payment:card.refusedTitle');
  return (
    <div ref={box} tabIndex={-1} className={classes['outcome']}>
      <Notice tone="error" live title={title}>
        <p>
          {prefix}
          {reason}
        </p>
        {declined ? <p>{t('payment:payment.declined')}</p> : null}
        <p>{from === 'booking' ? t('payment:kept.notBooked') : t('payment:kept.notCharged')}</p>
        {problem.requestId ? (
          <p className="pg-small">{t('common:error.requestId', { id: problem.requestId })}</p>
        ) : null}
        {problem.code === 'contact_support' || problem.status >= 500 ? <SupportLinks /> : null}
      </Notice>
    </div>
  );
}
