import { TextInput } from '@mantine/core';
import type { RateCard } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { ChoiceGroup, Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { deskToday } from '../../../shell/company.ts';
import classes from '../rates.module.css';
import { type Begin, beginOf } from './begin.ts';

/** Id of what the beginning is chosen with. */
export const beginId = 'rate-begin';

interface BeginFieldsProps {
  rate: RateCard;
  begin: Begin;
  error: string | undefined;
  onBegin: (begin: Begin) => void;
}

/** From when the figures hold: chosen, and then said in words. */
export function BeginFields({ rate, begin, error, onBegin }: BeginFieldsProps) {
  const { t } = useTranslation('rates');
  const language = useLanguage();
  const when = (instant: string) => formatDateTime(instant, montrealZone, language, true);
  const found = beginOf(begin);
  const from = 'from' in found ? found.from : null;
  return (
    <section aria-labelledby="rate-begin-name" className={classes['part']}>
      <h2 id="rate-begin-name" className={classes['partName']}>
        {t('begin.title')}
      </h2>
      <ChoiceGroup
        legend={t('begin.which')}
        name="begin"
        id={beginId}
        value={begin.at}
        choices={[
          { value: 'once', label: t('begin.once') },
          { value: 'later', label: t('begin.later') },
        ]}
        onChange={(at) => onBegin({ ...begin, at })}
        columns="row"
        {...(error ? { error } : {})}
      />
      {begin.at === 'later' ? (
        <div className={classes['fields']}>
          <TextInput
            type="date"
            label={t('begin.day')}
            value={begin.day}
            min={deskToday()}
            onChange={(event) => onBegin({ ...begin, day: event.currentTarget.value })}
          />
          <TextInput
            type="time"
            label={t('begin.time')}
            description={t('begin.zone')}
            value={begin.time}
            onChange={(event) => onBegin({ ...begin, time: event.currentTarget.value })}
          />
        </div>
      ) : null}
      <p aria-live="polite" className={classes['words']}>
        {begin.at === 'once' ? t('begin.wordsOnce') : from ? t('begin.words', { when: when(from) }) : ''}
      </p>
      {rate.state === 'active' && rate.effectiveTo ? (
        <Notice tone="warning">{t('begin.planned', { when: when(rate.effectiveTo) })}</Notice>
      ) : null}
      {rate.state === 'planned' ? <Notice>{t('begin.replaces', { version: rate.version })}</Notice> : null}
    </section>
  );
}
