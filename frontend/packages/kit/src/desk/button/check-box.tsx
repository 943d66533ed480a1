import { type MouseEvent, useEffect, useRef } from 'react';

import classes from './check-box.module.css';

interface CheckBoxProps {
  label: string;
  /** The words stand beside the box; otherwise only screen readers get them. */
  labelShown?: boolean;
  checked: boolean;
  /** Some of what it stands for is chosen. */
  partly?: boolean;
  disabled?: boolean;
  /** `ranged` when Shift was held: everything since the last press is meant. */
  onChange: (checked: boolean, ranged: boolean) => void;
}

/** A small checkbox for rows and menus. */
export function CheckBox({ label, labelShown = false, checked, partly = false, disabled, onChange }: CheckBoxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // only the property exists; HTML has no attribute for it
    if (input.current) input.current.indeterminate = partly;
  }, [partly]);
  return (
    <label className={classes['label']} data-shown={labelShown || undefined}>
      <input
        ref={input}
        type="checkbox"
        className={classes['box']}
        checked={checked}
        disabled={disabled}
        aria-label={labelShown ? undefined : label}
        // the change event does not say which keys were held
        onClick={(event: MouseEvent<HTMLInputElement>) => onChange(event.currentTarget.checked, event.shiftKey)}
        onChange={() => {}}
      />
      {labelShown ? <span>{label}</span> : null}
    </label>
  );
}
