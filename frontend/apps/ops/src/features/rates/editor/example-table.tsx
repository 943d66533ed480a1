import type { FurnitureCatalogue, RepricedExample } from '@portage/api';
import { useDurationText } from '@portage/domain';
import { formatCalendarDate, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import classes from '../rates.module.css';
import { signed } from './effect-table.tsx';
import { useExampleName } from './example-moves.tsx';
import type { Example } from './examples.ts';

interface ExampleTableProps {
  /** What was asked about, in the order of the answers. */
  examples: readonly Example[];
  rows: readonly RepricedExample[];
  catalogue: FurnitureCatalogue | undefined;
}

/** What each example move costs now and what it would. */
export function ExampleTable({ examples, rows, catalogue }: ExampleTableProps) {
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const duration = useDurationText();
  const name = useExampleName(catalogue);
  return (
    // scrolls by itself on a narrow screen, with the keys too
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label={t('example.table')}>
      <table className={classes['table']}>
        <caption className="pg-help">{t('example.order')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('example.which')}</th>
            <th scope="col">{t('example.takes')}</th>
            <th scope="col" className={classes['number']}>
              {t('effect.old.short')}
            </th>
            <th scope="col" className={classes['number']}>
              {t('effect.new.short')}
            </th>
            <th scope="col" className={classes['number']}>
              {t('effect.difference')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const example = examples[index];
            if (!example) return null;
            const day =
              example.day === ''
                ? null
                : formatCalendarDate(example.day, language, { year: 'numeric', month: 'short', day: 'numeric' });
            return (
              // the answers come in the order of the questions
              // eslint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <th scope="row" className={classes['exampleName']}>
                  {name(example)}
                  {day ? <span className="pg-muted"> {day}</span> : null}
                </th>
                <td className={classes['exampleTime']}>
                  {row.oldDuration === row.newDuration
                    ? duration(row.newDuration)
                    : t('example.instead', { old: duration(row.oldDuration), new: duration(row.newDuration) })}
                </td>
                <td className={classes['number']}>
                  <Money value={row.old} />
                </td>
                <td className={classes['number']}>
                  <Money value={row.new} />
                </td>
                <td className={classes['number']}>{signed(row.difference, language)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
