import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { leadToWhatComes } from '../../lead-to-what-comes.ts';
import { DeskButton } from '../button/button.tsx';
import { CheckBox } from '../button/check-box.tsx';
import type { Day } from '../dates/days.ts';
import { RangePanel } from '../dates/range-panel.tsx';
import { fold } from '../fold.ts';
import classes from './filter-bar.module.css';
import type { ChoiceFilter, Filter, FilterValue, NumbersFilter, TextFilter } from './filters.ts';

interface EditorProps<F extends Filter> {
  filter: F;
  value: FilterValue | undefined;
  onChange: (value: FilterValue | null) => void;
  /** The value is complete: what holds the editor may close. */
  onDone: () => void;
}

function TextEditor({ filter, value, onChange, onDone }: EditorProps<TextFilter>) {
  const { t } = useTranslation();
  const [text, setText] = useState(value?.kind === 'text' ? value.text : '');
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim() ? { kind: 'text', text: text.trim() } : null);
        onDone();
      }}
    >
      <input
        className={classes['entry']}
        type={filter.moment ? 'datetime-local' : 'text'}
        step={filter.moment ? 1800 : undefined}
        aria-label={filter.label}
        placeholder={filter.placeholder}
        value={text}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <DeskButton submit variant="primary">
        {t('action.apply')}
      </DeskButton>
    </form>
  );
}

function NumbersEditor({ filter, value, onChange, onDone }: EditorProps<NumbersFilter>) {
  const { t } = useTranslation(['desk', 'common']);
  const now = value?.kind === 'numbers' ? value.range : {};
  const [from, setFrom] = useState(now.from === undefined ? '' : String(now.from));
  const [to, setTo] = useState(now.to === undefined ? '' : String(now.to));
  const id = useId();
  const number = (text: string) => (text.trim() === '' ? null : Number(text.replace(',', '.')));
  const [low, high] = [number(from), number(to)];
  const wrong = [low, high].some(
    (one) =>
      one !== null &&
      (Number.isNaN(one) ||
        one < filter.min ||
        one > filter.max ||
        (filter.step === undefined && !Number.isInteger(one))),
  );
  const crossed = low !== null && high !== null && low > high;
  const field = (label: string, text: string, set: (text: string) => void, first: boolean) => (
    <label className={classes['number']}>
      <span>{label}</span>
      <input
        className={classes['entry']}
        inputMode="decimal"
        value={text}
        aria-invalid={wrong || crossed}
        aria-describedby={`${id}-rule`}
        data-autofocus={first || undefined}
        onChange={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
  return (
    <form
      className={classes['stack']}
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong || crossed) return;
        const range = { ...(low === null ? {} : { from: low }), ...(high === null ? {} : { to: high }) };
        onChange(Object.keys(range).length > 0 ? { kind: 'numbers', range } : null);
        onDone();
      }}
    >
      <div className={classes['numbers']}>
        {field(t('filters.from'), from, setFrom, true)}
        {field(t('filters.to'), to, setTo, false)}
      </div>
      <p id={`${id}-rule`} className={wrong || crossed ? 'pg-error' : 'pg-help'}>
        {crossed
          ? t('filters.crossed')
          : t('filters.between', { min: filter.min, max: filter.max, unit: filter.unit ?? '' })}
      </p>
      <DeskButton submit variant="primary">
        {t('common:action.apply')}
      </DeskButton>
    </form>
  );
}

/** A field to narrow the options appears when there are more than this. */
const manyOptions = 8;

function ChoiceEditor({ filter, value, onChange, onDone }: EditorProps<ChoiceFilter>) {
  const { t } = useTranslation(['desk', 'common']);
  const { fetched } = filter;
  const want = useEffectEvent(() => fetched?.onWanted());
  useEffect(() => {
    want();
  }, []);
  const name = useId();
  const [narrow, setNarrow] = useState('');
  const chosen = value?.kind === 'choice' ? value.values : [];
  const options = filter.options.filter((option) => fold(option.label).includes(fold(narrow)));
  const set = (values: readonly string[]) => onChange(values.length > 0 ? { kind: 'choice', values } : null);
  return (
    <fieldset className={classes['choice']}>
      <legend className={classes['legend']}>{filter.label}</legend>
      {filter.options.length > manyOptions ? (
        <input
          className={classes['entry']}
          aria-label={t('filters.narrow', { filter: filter.label })}
          placeholder={t('filters.narrowShort')}
          value={narrow}
          data-autofocus
          onChange={(event) => setNarrow(event.currentTarget.value)}
        />
      ) : null}
      <div className={classes['options']}>
        {options.map((option) =>
          filter.one ? (
            <label key={option.value} className={classes['radio']}>
              <input
                type="radio"
                name={name}
                checked={chosen.includes(option.value)}
                onChange={() => set([option.value])}
                onClick={(event) => {
                  // an arrow key also clicks, without a press: the list stays open for it
                  if (event.detail > 0) onDone();
                }}
              />
              <span>{option.label}</span>
            </label>
          ) : (
            <CheckBox
              key={option.value}
              label={option.label}
              labelShown
              checked={chosen.includes(option.value)}
              onChange={(on) =>
                set(
                  filter.options
                    .map((one) => one.value)
                    .filter((one) => (one === option.value ? on : chosen.includes(one))),
                )
              }
            />
          ),
        )}
        {fetched && fetched.state !== 'ready' ? (
          <div
            role="status"
            data-loading-state={fetched.state === 'loading' ? '' : undefined}
            className={classes['none']}
          >
            <p>{fetched.state === 'loading' ? t('common:app.loading') : t('filters.notFetched')}</p>
            {fetched.state === 'failed' ? (
              <DeskButton
                onClick={(event) => {
                  leadToWhatComes(event.currentTarget);
                  fetched.onWanted();
                }}
              >
                {t('common:action.retry')}
              </DeskButton>
            ) : null}
          </div>
        ) : options.length === 0 ? (
          <p className={classes['none']}>{t('filters.noOption')}</p>
        ) : null}
      </div>
    </fieldset>
  );
}

/** The editor for one filter of any kind. Choices apply at once. */
export function Editor({ filter, today, ...rest }: EditorProps<Filter> & { today: Day }) {
  if (filter.kind === 'text') return <TextEditor filter={filter} {...rest} />;
  if (filter.kind === 'numbers') return <NumbersEditor filter={filter} {...rest} />;
  if (filter.kind === 'choice') return <ChoiceEditor filter={filter} {...rest} />;
  const { presets, min, max } = filter;
  return (
    <RangePanel
      value={rest.value?.kind === 'days' ? rest.value.range : null}
      onChange={(range) => rest.onChange(range === null ? null : { kind: 'days', range })}
      onComplete={rest.onDone}
      today={today}
      min={min}
      max={max}
      {...(presets ? { presets } : {})}
    />
  );
}
