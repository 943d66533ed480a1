import { NativeSelect, TextInput } from '@mantine/core';
import type { FurnitureCatalogue, Province } from '@portage/api';
import { useProvinceChoices } from '@portage/domain';
import { useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from '../rates.module.css';
import { type Example, mostExamples, moveOf, nextExample } from './examples.ts';

/** What an example is called: the home, who carries, how far and where. */
export function useExampleName(catalogue: FurnitureCatalogue | undefined): (example: Example) => string {
  const { t } = useTranslation(['rates', 'domain']);
  const language = useLanguage();
  return ({ home, mates, km, province }) =>
    t('example.of', {
      count: Number(mates) || 0,
      home: catalogue?.presets.find(({ id }) => id === home)?.name[language] ?? home,
      km: km.trim(),
      province: t(`domain:province.${province}`),
    });
}

interface ExampleMovesProps {
  examples: readonly Example[];
  catalogue: FurnitureCatalogue;
  onExamples: (examples: readonly Example[]) => void;
}

/** Moves that nobody booked: what they would cost tells of the figures before anybody books by them. */
export function ExampleMoves({ examples, catalogue, onExamples }: ExampleMovesProps) {
  const { t } = useTranslation(['rates', 'domain']);
  const language = useLanguage();
  const provinces = useProvinceChoices();
  const name = useExampleName(catalogue);
  const change = (index: number, more: Partial<Example>) =>
    onExamples(examples.map((one, at) => (at === index ? { ...one, ...more } : one)));
  const number = (index: number, key: 'mates' | 'km' | 'minutes') => (
    <TextInput
      label={t(`example.${key}`)}
      value={examples[index]?.[key] ?? ''}
      maxLength={5}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => change(index, { [key]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <p className="pg-help">{t('example.help')}</p>
      {examples.map((example, index) => (
        // eslint-disable-next-line react/no-array-index-key -- examples have no names of their own, and keep their order
        <fieldset key={index} className={classes['entry']}>
          <legend className={classes['entryName']}>{t('example.row', { number: index + 1 })}</legend>
          <div className={classes['fields']}>
            <NativeSelect
              label={t('example.home')}
              value={example.home}
              data={catalogue.presets.map((preset) => ({ value: preset.id, label: preset.name[language] }))}
              onChange={(event) => change(index, { home: event.currentTarget.value })}
            />
            {number(index, 'mates')}
            {number(index, 'km')}
            {number(index, 'minutes')}
            <NativeSelect
              label={t('example.province')}
              value={example.province}
              data={provinces}
              onChange={(event) => change(index, { province: event.currentTarget.value as Province })}
            />
            <TextInput
              type="date"
              label={t('example.day')}
              value={example.day}
              onChange={(event) => change(index, { day: event.currentTarget.value })}
            />
          </div>
          {moveOf(example, catalogue) ? null : <p className="pg-error">{t('example.wrong')}</p>}
          <DeskButton
            variant="quiet"
            aria-label={t('entry.removeNamed', { name: name(example) })}
            onClick={() => onExamples(examples.filter((_, at) => at !== index))}
          >
            {t('entry.remove')}
          </DeskButton>
        </fieldset>
      ))}
      {examples.length < mostExamples ? (
        <div>
          <DeskButton
            icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
            onClick={() => onExamples([...examples, examples.at(-1) ?? nextExample])}
          >
            {t('example.add')}
          </DeskButton>
        </div>
      ) : null}
    </>
  );
}
