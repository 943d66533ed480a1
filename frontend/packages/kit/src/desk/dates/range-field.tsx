import { Popover } from '@mantine/core';
import { useLanguage } from '@portage/i18n';
import { IconCalendar } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { DeskButton } from '../button/button.tsx';
import { popover } from '../button/popover.ts';
import classes from './range-field.module.css';
import { RangePanel, type RangePanelProps } from './range-panel.tsx';
import { useRangeText } from './range-text.ts';

interface RangeFieldProps extends Omit<RangePanelProps, 'onComplete'> {
  label: string;
  error?: string | undefined;
}

/** A button that says the range and opens the panel; it closes when both ends are known. */
export function RangeField({ label, error, ...panel }: RangeFieldProps) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const id = useId();
  const [opened, setOpened] = useState(false);
  const text = useRangeText(panel.today, language);
  const shown = panel.value === null ? t('dates.any') : text(panel.value);
  return (
    <div>
      <div className={classes['label']} id={`${id}-label`}>
        {label}
      </div>
      <Popover opened={opened} onChange={setOpened} position="bottom-start" {...popover(classes['dropdown'])}>
        <Popover.Target>
          <DeskButton
            id={id}
            className={classes['button']}
            icon={<IconCalendar size={18} stroke={1.75} aria-hidden />}
            aria-label={t('dates.button', { label, range: shown })}
            aria-describedby={error ? `${id}-error` : undefined}
            data-invalid={Boolean(error) || undefined}
            onClick={() => setOpened((now) => !now)}
          >
            {shown}
          </DeskButton>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          <RangePanel {...panel} onComplete={() => setOpened(false)} />
        </Popover.Dropdown>
      </Popover>
      {error ? (
        <p id={`${id}-error`} className="pg-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
