import { TextInput } from '@mantine/core';
import { FormProblems, useFormShell } from '@portage/forms';
import { fieldId, Notice, type SummaryItem, TextField, useFieldMessage } from '@portage/kit';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { type Control, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import classes from './card-form.module.css';
import { type CardHandle, CardRefused } from './card-handle.ts';
import {
  brandOf,
  caretAfter,
  cvcLength,
  digitsOf,
  formatCardNumber,
  formatExpiry,
  hasExpired,
  isCardNumber,
  parseExpiry,
} from './card.ts';
import { tokeniseAtSimulator } from './simulator.ts';

const filled = z.refine((value: unknown) => typeof value === 'string' && value.trim() !== '', {
  error: 'common:form.required',
  abort: true,
});

const schema = z
  .object({
    number: z.string().check(filled, z.refine(isCardNumber, { error: 'payments:card.numberInvalid' })),
    expiry: z.string().check(
      filled,
      z.refine((value) => parseExpiry(value) !== null, { error: 'payments:card.expiryInvalid', abort: true }),
      z.refine(
        (value) => {
          const expiry = parseExpiry(value);
          return expiry === null || !hasExpired(expiry, new Date());
        },
        { error: 'payments:card.expired' },
      ),
    ),
    cvc: z.string().check(filled),
    name: z.string().check(z.trim(), filled, z.maxLength(100, 'payments:card.nameLong')),
  })
  .check(
    z.refine((card) => card.cvc === '' || new RegExp(`^\\d{${cvcLength(card.number)}}$`).test(card.cvc), {
      path: ['cvc'],
      error: 'payments:card.cvcInvalid',
    }),
  );
type CardValues = z.infer<typeof schema>;

const names: (keyof CardValues)[] = ['number', 'expiry', 'cvc', 'name'];
const empty: CardValues = { number: '', expiry: '', cvc: '', name: '' };

/** The card form of the demonstration. The real gateway brings its own fields, so that no card number reaches this page. */
export function DemoCardForm({
  ref,
  onLines,
}: {
  ref: Ref<CardHandle>;
  onLines: ((lines: SummaryItem[]) => void) | undefined;
}) {
  const { t } = useTranslation(['payments', 'common']);
  const labels = {
    number: t('card.number'),
    expiry: t('card.expiry'),
    cvc: t('card.cvc'),
    name: t('card.name'),
  };
  const shell = useFormShell({
    schema,
    defaultValues: empty,
    labels,
    send: tokeniseAtSimulator,
    fieldsOf: ({ fieldErrors }) =>
      fieldErrors.map(({ field }) => ({ field, message: `payments:card.${field}Invalid` })),
  });
  const { control, formState, getFieldState, trigger } = shell.form;
  const say = useFieldMessage();
  const linesNow = (): SummaryItem[] =>
    names.flatMap((name) => {
      const text = say(getFieldState(name).error?.message, labels[name]);
      return text ? [{ fieldId: fieldId(name), text }] : [];
    });
  const number = useWatch({ control, name: 'number' });
  const brand = brandOf(number);

  // read while drawing, so that each change of an error draws again
  const lines = formState.errors && linesNow();
  const tell = useEffectEvent(() => onLines?.(lines));
  const told = JSON.stringify(lines);
  useEffect(() => {
    tell();
  }, [told]);

  useImperativeHandle(ref, () => ({
    async tokenise() {
      const outcome = await shell.submit();
      if (outcome.taken) return outcome.answer;
      throw outcome.problem ?? new CardRefused(linesNow());
    },
    async check() {
      await trigger();
      return linesNow();
    },
  }));

  return (
    <div className={classes['root']}>
      {onLines ? null : <FormProblems shell={shell} />}
      <DigitField
        control={control}
        name="number"
        label={labels.number}
        format={formatCardNumber}
        autoComplete="cc-number"
        placeholder="4111 1111 1111 1111"
        after={brand ? t(`brand.${brand}`) : null}
      />
      <div className={classes['pair']}>
        <DigitField
          control={control}
          name="expiry"
          label={labels.expiry}
          format={formatExpiry}
          autoComplete="cc-exp"
          placeholder={t('card.expiryShape')}
        />
        <DigitField
          control={control}
          name="cvc"
          label={labels.cvc}
          format={(text) => digitsOf(text).slice(0, 4)}
          autoComplete="cc-csc"
          placeholder={'1234'.slice(0, cvcLength(number))}
        />
      </div>
      <TextField control={control} name="name" label={labels.name} autoComplete="cc-name" />
      <Notice>{t('card.demoHint')}</Notice>
    </div>
  );
}

interface DigitFieldProps {
  control: Control<CardValues>;
  name: keyof CardValues;
  label: string;
  format: (text: string) => string;
  autoComplete: string;
  placeholder: string;
  after?: string | null;
}

/** A field of digits that takes its printed form while it is typed, without moving the caret away from the finger. */
function DigitField({ control, name, label, format, autoComplete, placeholder, after }: DigitFieldProps) {
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name });
  const input = useRef<HTMLInputElement | null>(null);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current !== null && document.activeElement === input.current)
      input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  return (
    <TextInput
      id={fieldId(name)}
      ref={(element) => {
        field.ref(element);
        input.current = element;
      }}
      name={field.name}
      value={field.value}
      label={label}
      error={message(fieldState.error?.message, label)}
      inputMode="numeric"
      autoComplete={autoComplete}
      placeholder={placeholder}
      spellCheck={false}
      className="pg-num"
      rightSection={after ? <span className={classes['brand']}>{after}</span> : undefined}
      rightSectionWidth={after ? 140 : undefined}
      classNames={after ? { input: classes['branded'] ?? '', section: classes['brandBox'] ?? '' } : {}}
      onBlur={field.onBlur}
      onChange={(event) => {
        const { value, selectionStart } = event.currentTarget;
        const next = format(value);
        const atEnd = selectionStart === value.length;
        // a month typed with one digit grows by its zero, so the end stays the end
        caret.current = atEnd
          ? next.length
          : caretAfter(next, digitsOf(value.slice(0, selectionStart ?? value.length)).length);
        field.onChange(next);
      }}
    />
  );
}
