import { VisuallyHidden } from '@mantine/core';
import { type Control, type FieldPath, useController } from '@portage/forms';
import { fieldId, useFieldMessage } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { whats } from './load.ts';
import { weekPath, type WeekValues } from './numbers.ts';
import classes from './week-fields.module.css';
import { useWhatText } from './words.ts';

interface WeekFieldsProps {
  control: Control<WeekValues>;
  /** Monday first. */
  weekdays: readonly string[];
  /** Of every field by its path: weekday and what is counted. */
  labels: Record<string, string>;
}

/** A row for each weekday; on a phone each row is a card. */
export function WeekFields({ control, weekdays, labels }: WeekFieldsProps) {
  const { t } = useTranslation('calendar');
  const whatText = useWhatText();
  return (
    <div className={classes['frame']}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>{t('col.weekday')}</VisuallyHidden>
            </th>
            {whats.map((what) => (
              <th key={what} scope="col">
                {whatText(what)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weekdays.map((weekday, index) => (
            <tr key={weekday}>
              <th scope="row">{weekday}</th>
              {whats.map((what) => {
                const name = weekPath(index, what);
                return (
                  <td key={what} data-name={whatText(what)}>
                    <NumberField control={control} name={name} label={labels[name] ?? ''} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface NumberFieldProps {
  control: Control<WeekValues>;
  name: FieldPath<WeekValues>;
  label: string;
}

/** A number in a table: row and column are its visible name. */
function NumberField({ control, name, label }: NumberFieldProps) {
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name });
  const id = fieldId(name);
  const error = message(fieldState.error?.message, label);
  return (
    <>
      <input
        ref={field.ref}
        id={id}
        name={field.name}
        className={classes['input']}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        value={typeof field.value === 'string' ? field.value : ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
        onFocus={(event) => event.currentTarget.select()}
      />
      {error ? (
        <p id={`${id}-error`} className="pg-error">
          {error}
        </p>
      ) : null}
    </>
  );
}
