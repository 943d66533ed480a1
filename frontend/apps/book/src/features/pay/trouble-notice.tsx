import { Notice, useLeadTo } from '@portage/kit';
import { CardProblem } from '@portage/payments';
import { useTranslation } from 'react-i18next';

import classes from './pay.module.css';
import type { Trouble } from './use-link-payment.ts';

/** Why the last press did not pay, in our words, and that nothing typed is lost. */
export function TroubleNotice({ trouble }: { trouble: Trouble | null }) {
  const { t } = useTranslation(['pay', 'common', 'payments']);
  const box = useLeadTo<HTMLDivElement>(trouble);
  if (!trouble) return null;
  const framed = (notice: React.ReactNode) => (
    <div ref={box} tabIndex={-1} className={classes['trouble']}>
      {notice}
    </div>
  );
  if (trouble.kind === 'offline')
    return framed(
      <Notice tone="error" live title={t('pay:offline.title')}>
        {t('pay:offline.notSent')}
      </Notice>,
    );
  if (trouble.kind === 'silent')
    return framed(
      <Notice tone="warning" live title={t('pay:silent.title')}>
        {t('pay:silent.text')}
      </Notice>,
    );
  const { problem } = trouble;
  const { minutes } = problem.members;
  const tooMany = problem.status === 429;
  const silent = problem.status === 0 || problem.status >= 500;
  const title = tooMany
    ? t('payments:card.tooMany')
    : silent
      ? t('payments:card.notChecked')
      : t('payments:card.refused');
  return framed(
    <Notice tone="error" live title={title}>
      {tooMany && typeof minutes === 'number' ? (
        <p>{t('pay:tooMany', { count: minutes })}</p>
      ) : (
        <CardProblem problem={problem} />
      )}
      <p>{t('pay:kept')}</p>
      {problem.requestId ? <p className="pg-small">{t('common:error.requestId', { id: problem.requestId })}</p> : null}
    </Notice>,
  );
}
