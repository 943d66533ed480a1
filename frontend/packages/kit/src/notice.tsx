import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconExclamationCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './notice.module.css';
import { leadBeside } from './lead-to-what-comes.ts';
import { useLeadTo } from './use-lead-to.ts';

const icons = {
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  error: IconExclamationCircle,
  success: IconCircleCheck,
} as const;

interface NoticeProps {
  tone?: keyof typeof icons;
  title?: string;
  children: ReactNode;
  /** Announce as soon as it appears; for things that happened because of the person's action. */
  live?: boolean;
  /** It takes the focus and comes into view: what was pressed is gone, locked, or far from here. */
  led?: boolean;
  onDismiss?: () => void;
  action?: ReactNode;
}

export function Notice({ tone = 'info', title, children, live = false, led = false, onDismiss, action }: NoticeProps) {
  const { t } = useTranslation('kit');
  const Icon = icons[tone];
  const box = useLeadTo<HTMLDivElement>(led);
  return (
    <div
      ref={box}
      tabIndex={led ? -1 : undefined}
      className={classes['root']}
      data-tone={tone}
      role={live ? (tone === 'error' ? 'alert' : 'status') : undefined}
    >
      <Icon className={classes['icon']} size={20} stroke={1.75} aria-hidden />
      <div className={classes['body']}>
        {title ? <strong>{title}</strong> : null}
        <div>{children}</div>
        {action ? <div className={classes['action']}>{action}</div> : null}
      </div>
      {onDismiss ? (
        <CloseButton
          className={classes['close'] ?? ''}
          onClick={() => {
            if (box.current) leadBeside(box.current);
            onDismiss();
          }}
          aria-label={t('action.dismiss')}
          size="md"
          variant="transparent"
        />
      ) : null}
    </div>
  );
}
