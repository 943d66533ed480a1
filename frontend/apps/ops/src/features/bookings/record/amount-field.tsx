import { TextInput } from '@mantine/core';
import { centsOf, parseCents } from '@portage/domain';
import { useTranslation } from 'react-i18next';

/** The cents of an amount as it was typed, when it can be sent. */
export function sendable(amount: string, most: string): number | null {
  const cents = parseCents(amount);
  return cents !== null && cents > 0 && cents <= centsOf(most) ? cents : null;
}

interface AmountFieldProps {
  label: string;
  value: string;
  /** The highest amount that is taken. */
  most: string;
  /** What to say above that. */
  tooMuch: string;
  onChange: (value: string) => void;
}

/** An amount of money that somebody types, with a comma or a point. */
export function AmountField({ label, value, most, tooMuch, onChange }: AmountFieldProps) {
  const { t } = useTranslation('record');
  const cents = parseCents(value);
  const wrong = value.trim() !== '' && sendable(value, most) === null;
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      autoComplete="off"
      value={value}
      maxLength={20}
      error={wrong ? (cents !== null && cents > 0 ? tooMuch : t('credit.unreadable')) : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
