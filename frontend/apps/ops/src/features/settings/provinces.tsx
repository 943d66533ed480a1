import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { useField, useSettings } from './context.ts';
import { type Leaf, provincePath } from './fields.ts';
import { useProvinceName, useWords } from './labels.ts';
import { LeafInput } from './leaf-input.tsx';
import { FieldSource, Part } from './setting.tsx';
import classes from './settings.module.css';
import { at, counts } from './values.ts';

/** Provinces whose law says something about these numbers that we know of. */
const lawful = ['QC', 'ON', 'AB'] as const;

/** What differs by the province of the pickup, with what its law asks for. */
export function Provinces() {
  const words = useWords();
  const { name, key, leaves } = useField('provinces');
  const codes = [...new Set(leaves.map(({ path }) => path.split('.')[1] ?? ''))];
  return (
    <Part title={words.label(key)} help={words.help(key)}>
      {codes.map((code) => (
        <Province
          key={code}
          code={code}
          leaves={leaves.filter(({ path }) => path.startsWith(`${provincePath(code)}.`))}
        />
      ))}
      <FieldSource name={name} />
    </Part>
  );
}

function Province({ code, leaves }: { code: string; leaves: readonly Leaf[] }) {
  const { t } = useTranslation('settings');
  const { now } = useSettings();
  const nameOf = useProvinceName();
  const law = lawful.find((one) => one === code);
  const review = leaves.find(({ key }) => key === 'reviewRequired');
  const unconfirmed = review !== undefined && counts(review, now) && at(now, review.path) === true;
  return (
    <fieldset className={classes['province']}>
      <legend className={classes['legend']}>{nameOf(code)}</legend>
      {law ? <p className="pg-help">{t(`law.${law}`)}</p> : null}
      {unconfirmed ? <Notice tone="warning">{t('review.open')}</Notice> : null}
      <div className={classes['fields']}>
        {leaves
          .filter((leaf) => counts(leaf, now))
          .map((leaf) => (
            <LeafInput key={leaf.path} leaf={leaf} />
          ))}
      </div>
    </fieldset>
  );
}
