import { TextInput } from '@mantine/core';

interface DayFieldProps {
  id: string;
  label: string;
  value: string;
  max: string;
  onChange: (day: string) => void;
}

/** A day of the company's calendar. A day that is half typed changes nothing. */
export function DayField({ id, label, value, max, onChange }: DayFieldProps) {
  return (
    <TextInput
      id={id}
      type="date"
      label={label}
      defaultValue={value}
      max={max}
      onChange={({ currentTarget }) => {
        if (currentTarget.value) onChange(currentTarget.value);
      }}
    />
  );
}
