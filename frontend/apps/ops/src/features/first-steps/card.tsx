import { profileQuery } from '@portage/frame';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './first-steps.module.css';
import { firstStepsQuery } from './queries.ts';
import { stepsOf } from './types.ts';

/**
 * How far a new company is, above what is done every day; nothing once it is through, or while that is unknown. For
 * administrators: the settings it leads to are theirs.
 */
export function FirstStepsCard() {
  const { t } = useTranslation(['firstSteps', 'shell']);
  const told = useQuery({ ...firstStepsQuery, retry: false });
  const own = useQuery(profileQuery);
  if (own.data?.role !== 'admin' || !told.data || told.data.done) return null;
  const steps = stepsOf(told.data);
  const next = steps.find(({ done }) => !done);
  if (!next) return null;
  return (
    <aside aria-label={t('shell:area.firstSteps')} className={classes['card']}>
      <Link to="/first-steps">
        {t('card.count', { done: steps.filter(({ done }) => done).length, all: steps.length })}
      </Link>
      <span className="pg-muted">{t('card.next', { step: t(`step.${next.code}`) })}</span>
    </aside>
  );
}
