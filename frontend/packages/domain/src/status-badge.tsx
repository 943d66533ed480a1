import type { BookingStatus } from '@portage/api';
import {
  IconBan,
  IconCircleCheck,
  IconClock,
  IconFileInvoice,
  IconReceipt,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from './status-badge.module.css';

const looks = {
  pending: { icon: IconClock, tone: 'lake' },
  assigned: { icon: IconUsers, tone: 'heather' },
  completed: { icon: IconCircleCheck, tone: 'outline' },
  invoiced: { icon: IconFileInvoice, tone: 'strap' },
  payed: { icon: IconReceipt, tone: 'spruce' },
  cancelled: { icon: IconBan, tone: 'stone' },
  deleted: { icon: IconTrash, tone: 'stone' },
} as const;

/** Icon, word and tint: never colour alone. */
export function StatusBadge({ status }: { status: BookingStatus }) {
  const { t } = useTranslation('domain');
  const { icon: Icon, tone } = looks[status];
  return (
    <span className={classes['root']} data-tone={tone}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {t(`bookingStatus.${status}`)}
    </span>
  );
}
