import { Button } from '@mantine/core';
import type { ApiProblem } from '@portage/api';
import { ErrorState, PageHeading } from '@portage/kit';
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
  const { t } = useTranslation('payment');
  // it takes the place of a long form that was scrolled to its end
  useEffect(() => window.scrollTo(0, 0), []);
  return (
    <>
      <PageHeading title={t('unanswered.title')} lead={t('unanswered.lead')} />
      {problem ? (
        <div className={classes['outcome']}>
          <ErrorState failure={problem} title={t('unanswered.still')} />
        </div>
      ) : null}
      <div className={classes['actions']}>
        <Button size="lg" loading={busy} onClick={() => void pay()}>
          {t('unanswered.check')}
        </Button>
      </div>
      <div className={classes['support']}>
        <SupportLinks />
      </div>
    </>
  );
}
