import { ActionIcon } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { announce } from './announce.tsx';
import classes from './quantity-stepper.module.css';

interface QuantityStepperProps {
  /** What is counted; names the three controls for screen readers. */
  label: string;
  value: number;
  min?: number;
  max?: number;
  onChange: (value: number) => void;
  id?: string;
  describedBy?: string;
  invalid?: boolean;
  /** Hides minus and count while the value is `min`, for long lists of things nobody has. */
  quietAtMin?: boolean;
}

/** Minus, a count one can type, plus: 44 px each. Typing is checked on leaving, never while typing. */
export function QuantityStepper({
  label,
  value,
  min = 0,
  max = 99,
  onChange,
  id,
  describedBy,
  invalid = false,
  quietAtMin = false,
}: QuantityStepperProps) {
  const { t } = useTranslation('kit');
  const [typing, setTyping] = useState<string | null>(null);
  /** Why the count is not what was typed. */
  const [said, setSaid] = useState<string | null>(null);
  const less = useRef<HTMLButtonElement>(null);
  const more = useRef<HTMLButtonElement>(null);

  const settle = () => {
    if (typing === null) return;
    const typed = typing.trim().replace('\u2212', '-');
    setTyping(null);
    if (typed === '') return;
    const whole = /^-?\d+$/.test(typed);
    const next = whole ? Math.min(max, Math.max(min, Number(typed))) : value;
    // what was typed is never made into another number without a word
    const words = whole && next === Number(typed) ? null : t('quantity.corrected', { typed, value: next, min, max });
    setSaid(words);
    if (words !== null) announce(words);
    if (next !== value) onChange(next);
  };
  const step = (next: number) => {
    setSaid(null);
    onChange(Math.min(max, Math.max(min, next)));
  };
  /** A button at its end is switched off and would drop the focus: the one that still does something takes it first. */
  const press = (next: number) => {
    if (next <= min) more.current?.focus({ preventScroll: true });
    else if (next >= max) less.current?.focus({ preventScroll: true });
    step(next);
  };
  const quiet = quietAtMin && value === min && typing === null;

  return (
    <div
      className={classes['root']}
      role="group"
      aria-label={label}
      data-quiet={quiet || undefined}
      data-invalid={invalid || undefined}
    >
      <ActionIcon
        ref={less}
        variant="default"
        size={44}
        className={classes['less'] ?? ''}
        aria-label={t('quantity.less', { label })}
        disabled={value <= min}
        onClick={() => press(value - 1)}
      >
        <IconMinus size={18} stroke={2} aria-hidden />
      </ActionIcon>
      <input
        id={id}
        className={classes['count']}
        inputMode={min < 0 ? 'text' : 'numeric'}
        aria-label={label}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        value={typing ?? String(value)}
        onChange={(event) => setTyping(event.currentTarget.value.slice(0, 8))}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={settle}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            settle();
          }
          if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            event.preventDefault();
            setTyping(null);
            step(value + (event.key === 'ArrowUp' ? 1 : -1));
          }
        }}
      />
      <ActionIcon
        ref={more}
        variant="default"
        size={44}
        aria-label={t('quantity.more', { label })}
        disabled={value >= max}
        onClick={() => press(value + 1)}
      >
        <IconPlus size={18} stroke={2} aria-hidden />
      </ActionIcon>
      {said === null ? null : <span className={classes['said']}>{said}</span>}
    </div>
  );
}
