import { type FieldValues, type Path, type PathValue, type UseFormReturn, useWatch } from '@portage/forms';
import { DeskButton } from '@portage/kit/desk/button';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './catalogue.module.css';

interface RowsFieldProps<V extends FieldValues, Row> {
  form: UseFormReturn<V>;
  name: Path<V>;
  /** What a row is called, by its number. */
  rowName: (number: number) => string;
  addLabel: string;
  /** Said while there is none. */
  empty: string;
  blank: Row;
  most: number;
  /** The fields of a row, by the path of the row. */
  children: (path: string, index: number) => ReactNode;
}

/** Rows of fields that can be added and taken away. */
export function RowsField<V extends FieldValues, Row>(props: RowsFieldProps<V, Row>) {
  const { form, name, rowName, addLabel, empty, blank, most, children } = props;
  const { t } = useTranslation('catalogue');
  const rows = useWatch({ control: form.control, name }) as Row[];
  const root = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const grown = useRef(false);
  const set = (next: Row[]) => {
    // what was wrong is told by the place of the row
    form.clearErrors(name);
    form.setValue(name, next as PathValue<V, Path<V>>, { shouldDirty: true });
  };
  useEffect(() => {
    if (!grown.current) return;
    grown.current = false;
    [...(root.current?.querySelectorAll('fieldset') ?? [])].at(-1)?.querySelector('input')?.focus();
  }, [rows.length]);
  return (
    <div ref={root} className={classes['rows']}>
      {rows.length === 0 ? <p className="pg-help">{empty}</p> : null}
      {rows.map((_, index) => (
        // the fields take their values by their place
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={index} className={classes['row']}>
          <legend className={classes['rowName']}>{rowName(index + 1)}</legend>
          <div className={classes['fields']}>{children(`${name}.${index}`, index)}</div>
          <DeskButton
            variant="quiet"
            aria-label={t('rows.remove', { row: rowName(index + 1) })}
            onClick={() => {
              set(rows.filter((_, at) => at !== index));
              add.current?.focus();
            }}
          >
            {t('rows.removeShort')}
          </DeskButton>
        </fieldset>
      ))}
      <div>
        <DeskButton
          ref={add}
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          disabled={rows.length >= most}
          onClick={() => {
            grown.current = true;
            set([...rows, blank]);
          }}
        >
          {addLabel}
        </DeskButton>
      </div>
    </div>
  );
}
