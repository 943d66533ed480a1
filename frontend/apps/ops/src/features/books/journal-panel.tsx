import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import classes from './books.module.css';
import { DayField } from './day-field.tsx';
import { Download } from './download.tsx';
import { journalFile } from './queries.ts';
import { useAddress } from './use-address.ts';

/** Every line of some days as a file. */
export function JournalPanel() {
  const { t } = useTranslation('books');
  const { from, to, today, set } = useAddress();
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  const wrong = days < 0 ? t('journal.order') : days >= 400 ? t('journal.long') : null;
  return (
    <>
      <p className={classes['lead']}>{t('journal.lead')}</p>
      <div className={classes['fields']}>
        <DayField
          id="books-from"
          label={t('journal.from')}
          value={from}
          max={today}
          onChange={(day) => set({ from: day })}
        />
        <DayField id="books-to" label={t('journal.to')} value={to} max={today} onChange={(day) => set({ to: day })} />
        <Download
          label={t('journal.get')}
          name={`journal-${from}-${to}.csv`}
          read={() => journalFile(from, to)}
          locked={wrong !== null}
        />
      </div>
      {wrong ? (
        <Notice tone="error" live>
          {wrong}
        </Notice>
      ) : null}
    </>
  );
}
