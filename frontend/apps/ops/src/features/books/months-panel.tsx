import type { BookMonth } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { profileQuery, QueryState } from '@portage/frame';
import { formatCalendarDate, formatDateTime, type Language, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './books.module.css';
import { Download } from './download.tsx';
import { CloseMonth, ReopenMonth } from './month-dialogs.tsx';
import { accountingFile, monthsQuery } from './queries.ts';

const contents = ['journal', 'days', 'invoices'] as const;

/** `2027-01` as people read it: January 2027, janvier 2027, 2027年1月. */
const monthName = (month: string, language: Language) =>
  formatCalendarDate(`${month}-01`, language, { month: 'long', year: 'numeric' });

function useStanding() {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const at = (instant: string) => formatDateTime(instant, montrealZone, language);
  return ({ state, closedAt, closedBy, endsAt }: BookMonth): string => {
    if (state === 'running') return t('months.running', { when: at(endsAt) });
    if (state === 'open') return t('months.open');
    if (!closedAt) return t('months.closedBefore');
    return closedBy
      ? t('months.closed', { name: closedBy, when: at(closedAt) })
      : t('months.closedBySomebody', { when: at(closedAt) });
  };
}

/** Each month of the books: where it stands, what may be done with it, and its files for the accounting program. */
export function MonthsPanel() {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const standing = useStanding();
  const own = useQuery(profileQuery);
  const query = useQuery(monthsQuery);
  const [asked, setAsked] = useState<{ month: string; to: 'close' | 'reopen' } | null>(null);
  const isAdmin = own.data?.role === 'admin';
  const Asking = asked?.to === 'reopen' ? ReopenMonth : CloseMonth;
  return (
    <>
      <p className={classes['lead']}>{t('months.lead')}</p>
      <QueryState query={query}>
        {({ data }) => (
          <>
            {isAdmin ? null : <p className={classes['lead']}>{t('months.admins')}</p>}
            {isAdmin && data.every(({ state }) => state !== 'closed') ? (
              <p className={classes['lead']}>{t('months.first')}</p>
            ) : null}
            <ul className={classes['months']} aria-label={t('months.list')}>
              {data.map((row) => {
                const name = monthName(row.month, language);
                const ask = (to: 'close' | 'reopen') => (
                  <DeskButton
                    variant="quiet"
                    aria-label={t('months.file', { file: t(`months.${to}`), month: name })}
                    onClick={() => setAsked({ month: row.month, to })}
                  >
                    {t(`months.${to}`)}
                  </DeskButton>
                );
                return (
                  <li key={row.month}>
                    <h2>{name}</h2>
                    <p>{standing(row)}</p>
                    <div className={classes['fields']}>
                      {contents.map((content) => (
                        <Download
                          key={content}
                          label={t(`months.${content}`)}
                          fullName={t('months.file', { file: t(`months.${content}`), month: name })}
                          name={`${content}-${row.month}.csv`}
                          read={() => accountingFile(row.month, content)}
                        />
                      ))}
                      {isAdmin && row.mayClose ? ask('close') : null}
                      {isAdmin && row.mayReopen ? ask('reopen') : null}
                    </div>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </QueryState>
      {asked ? (
        <Asking month={asked.month} name={monthName(asked.month, language)} onClose={() => setAsked(null)} />
      ) : null}
    </>
  );
}
