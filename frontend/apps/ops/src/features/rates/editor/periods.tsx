import { DeskButton } from '@portage/kit/desk/button';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { addEntry } from '../card/draft.ts';
import { periodsOf } from '../card/year.ts';
import { useCard } from './context.ts';
import { PeriodFields } from './period.tsx';
import { YearPicture } from './year-picture.tsx';

/** The times of the year and the week that cost more, with the year as a picture. */
export function Periods() {
  const { t } = useTranslation('rates');
  const { card, change } = useCard();
  const periods = periodsOf(card);
  return (
    <>
      <p className="pg-help">{t('periods.help')}</p>
      <YearPicture periods={periods} />
      {periods.map((period, index) => (
        // the fields take their values by their place
        // oxlint-disable-next-line react/no-array-index-key
        <PeriodFields key={index} period={period} index={index} />
      ))}
      <div>
        <DeskButton
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() =>
            change('periods', (now) =>
              addEntry(now, 'periods', { name: '', rule: 'range', from: '07-01', to: '07-01', multiplier_bp: 12_000 }),
            )
          }
        >
          {t('period.add')}
        </DeskButton>
      </div>
    </>
  );
}
