import type { Control, FieldPath } from '@portage/forms';
import { TextField } from '@portage/kit';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { usePaperKinds } from '../../shell/catalogue/paper-kinds.ts';
import { mostPapers, type MateValues } from './values.ts';

const fields = ['kind', 'number', 'expiresOn'] as const;

/** The names of the fields of every paper there may be, by their paths. */
export function usePaperLabels(): Record<string, string> {
  const { t } = useTranslation(['mates', 'catalogue']);
  return Object.fromEntries(
    Array.from({ length: mostPapers }, (_, index) =>
      fields.map((field) => [
        `documents.${index}.${field}`,
        t('catalogue:rows.of', { field: t(`paper.${field}`), row: t('paper.row', { number: index + 1 }) }),
      ]),
    ).flat(),
  );
}

/** What a paper is, its number and its last day. The usual kinds are offered, any other may be typed. */
export function PaperFields({ control, path }: { control: Control<MateValues>; path: string }) {
  const { t } = useTranslation('mates');
  const kinds = usePaperKinds();
  const id = useId();
  const text = (field: (typeof fields)[number], more: object = {}) => (
    <TextField
      control={control}
      name={`${path}.${field}` as FieldPath<MateValues>}
      label={t(`paper.${field}`)}
      autoComplete="off"
      {...more}
    />
  );
  return (
    <>
      {text('kind', { list: id })}
      <datalist id={id}>
        {kinds.options.map(({ value, label }) => (
          <option key={value}>{label}</option>
        ))}
      </datalist>
      {text('number', { optional: true })}
      {text('expiresOn', { type: 'date' })}
    </>
  );
}
