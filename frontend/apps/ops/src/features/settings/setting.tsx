import { DeskButton } from '@portage/kit/desk/button';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

import { useField, useSettings } from './context.ts';
import { useDefaultText } from './default-text.ts';
import { useWords } from './labels.ts';
import { LeafInput } from './leaf-input.tsx';
import classes from './settings.module.css';
import { isEmpty } from './values.ts';

/** Where the value of a field comes from, and the way back to its default. */
export function FieldSource({ name }: { name: string }) {
  const { t } = useTranslation('settings');
  const { stateOf, follow, defaults, locked } = useSettings();
  const { label } = useWords();
  const defaultText = useDefaultText();
  const field = useField(name);
  const state = stateOf(field);
  const own = state === 'saved' || state === 'changed';
  // an empty field has nothing that comes from anywhere
  if (state === 'default' && isEmpty(field, defaults)) return null;
  const text = own ? defaultText(field, defaults) : null;
  return (
    <div className={classes['source']} data-state={state}>
      <span className={classes['origin']}>{t(`state.${state}`)}</span>
      {text === null ? null : <span>{t('default.is', { value: text })}</span>}
      {own && !locked ? (
        <DeskButton
          variant="quiet"
          aria-label={t('follow.of', { field: label(field.key) })}
          onClick={() => follow(field)}
        >
          {t('follow')}
        </DeskButton>
      ) : null}
    </div>
  );
}

/** A field with its one input. */
export function Setting({ name }: { name: string }) {
  const { leaves } = useField(name);
  return (
    <div>
      {leaves.map((leaf) => (
        <LeafInput key={leaf.path} leaf={leaf} />
      ))}
      <FieldSource name={name} />
    </div>
  );
}

/** Settings that belong together, with their name. */
export function Part({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes['part']}>
      <h2 id={id} className={classes['title']}>
        {title}
      </h2>
      {help ? <p className="pg-help">{help}</p> : null}
      {children}
    </section>
  );
}
