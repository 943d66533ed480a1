import type { DeskBooking } from '@portage/api';
import { StatementTable } from '@portage/domain';
import { useLanguage } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { statementQuery } from './queries.ts';
import classes from './record.module.css';
import { Part } from './section.tsx';

/** The account of the booking as its customer reads it; fetched when it is asked for. */
export function StatementPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'domain']);
  const language = useLanguage();
  const [opened, setOpened] = useState(false);
  const query = useQuery({ ...statementQuery(booking.id, language), enabled: opened });
  return (
    <details className={classes['statement']} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>{t('domain:statement.open')}</summary>
      {opened ? (
        <Part query={query} loading={t('statement.title')} failed={t('statement.failed')}>
          {(statement) => <StatementTable statement={statement} />}
        </Part>
      ) : null}
    </details>
  );
}
