import type { CrewPrice } from '@portage/api';
import { centsOf, formatCents, useDurationText } from '@portage/domain';
import { formatItems, formatMoney, formatWallTime, useLanguage } from '@portage/i18n';
import { fieldId, Money } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../../booking/draft/draft-store.ts';
import { useCrews } from '../../booking/estimate/comparisons.ts';
import classes from './crew-cards.module.css';
import { betterCrew, endOf } from './crews.ts';

/** The start that is reckoned with until one is chosen. */
const usualStart = '09:00';

interface CrewCardsProps {
  value: number;
  /** Crews of up to so many mates may be chosen. */
  most: number;
  /** So many were proposed because fewer are refused; null where nothing was. */
  proposed: number | null;
  onChange: (mates: number) => void;
  onBlur: () => void;
  describedBy: string;
}

/** The crews one may choose, each with what it costs, how long it takes and when it is done. */
export function CrewCards({ value, most, proposed, onChange, onBlur, describedBy }: CrewCardsProps) {
  const { t } = useTranslation(['move', 'domain']);
  const language = useLanguage();
  const duration = useDurationText();
  const draft = useDraft();
  const compared = useCrews();
  const priced = new Map((compared.data ?? []).map((crew) => [crew.mateCount, crew]));
  const start = draft.time ?? usualStart;
  // what was chosen stays to be seen, also where it is too large
  const sizes = Array.from({ length: Math.max(most, value) }, (_, index) => index + 1);
  const better = betterCrew(compared.data ?? [], value, most);
  const now = priced.get(value);

  return (
    <fieldset aria-describedby={describedBy}>
      <legend className="pg-label">{t('crew.mates')}</legend>
      <p className="pg-small pg-muted">{t('crew.matesHelp')}</p>
      <div className={classes['cards']} aria-busy={compared.isFetching}>
        {sizes.map((mates) => {
          const crew = priced.get(mates);
          return (
            <label
              key={mates}
              className={classes['card']}
              data-checked={mates === value || undefined}
              data-refused={(crew?.warnings.length ?? 0) > 0 || undefined}
            >
              <input
                id={mates === value ? fieldId('mateCount') : undefined}
                type="radio"
                name="mateCount"
                value={mates}
                checked={mates === value}
                onChange={() => onChange(mates)}
                onBlur={onBlur}
              />
              <span className={classes['title']}>
                {t('domain:count.mates', { count: mates })}
                <Labels crew={crew} />
              </span>
              {crew ? (
                <>
                  <span className={classes['price']}>
                    <Money value={crew.total} currency="CAD" />
                  </span>
                  <span className={classes['time']}>{duration(crew.duration)}</span>
                  <span className={classes['end']}>
                    <WhenDone start={start} minutes={crew.duration} />
                  </span>
                  <Refusal crew={crew} />
                </>
              ) : null}
            </label>
          );
        })}
      </div>
      <p className="pg-small" role="status">
        {proposed === null ? null : <strong>{t('crew.proposed', { count: proposed })} </strong>}
        {compared.data === undefined
          ? t(compared.isError ? 'crew.noPrices' : 'crew.pricesToCome')
          : better && now
            ? t('crew.better', {
                count: better.mateCount,
                less: formatMoney(formatCents(centsOf(now.total) - centsOf(better.total)), language, 'CAD'),
                sooner: duration(now.duration - better.duration),
              })
            : t('crew.withTaxes')}
      </p>
    </fieldset>
  );
}

/** From when to when; an end on another day says which, or it would read like one before the start. */
function WhenDone({ start, minutes }: { start: string; minutes: number }) {
  const { t } = useTranslation('move');
  const language = useLanguage();
  const { clock, daysLater } = endOf(start, minutes);
  const both = { start: formatWallTime(start, language), end: formatWallTime(clock, language) };
  if (daysLater === 0) return t('crew.end', both);
  return daysLater === 1 ? t('crew.endNextDay', both) : t('crew.endDaysLater', { ...both, days: daysLater });
}

function Labels({ crew }: { crew: CrewPrice | undefined }) {
  const { t } = useTranslation('move');
  if (!crew) return null;
  return (
    <>
      {crew.labels.includes('cheapest') ? <span className={classes['label']}>{t('crew.cheapest')}</span> : null}
      {crew.labels.includes('fastest') ? <span className={classes['label']}>{t('crew.fastest')}</span> : null}
    </>
  );
}

/** Why a crew cannot be booked online, with the pieces it is about. */
function Refusal({ crew }: { crew: CrewPrice }) {
  const { t } = useTranslation('move');
  const language = useLanguage();
  const [first] = crew.warnings;
  if (!first) return null;
  const names = [...new Set(crew.warnings.flatMap(({ items }) => items ?? []).map(({ name }) => name))];
  const why =
    names.length > 0
      ? t('crew.refusedFor', { items: formatItems(names.slice(0, 3), language) })
      : t(first.code === 'contact_support' ? 'crew.byArrangement' : 'crew.tooFew');
  return <span className={classes['refusal']}>{why}</span>;
}
