import type { BookingStatus, PaymentState } from '@portage/api';
import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconFileInvoice,
  IconReceipt,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from './desk-status.module.css';

const signs = {
  pending: IconCircleDashed,
  assigned: IconCircle,
  completed: IconCircleCheck,
  invoiced: IconFileInvoice,
  payed: IconReceipt,
  cancelled: IconCircleX,
  deleted: IconTrash,
} as const;

/** The status in one word with its sign; it carries no colour, because nobody has to act on it. */
export function DeskStatus({ status }: { status: BookingStatus }) {
  const { t } = useTranslation('bookings');
  const Sign = signs[status];
  return (
    <span className={classes['status']} data-status={status}>
      <Sign size={16} stroke={1.75} aria-hidden />
      {t(`status.${status}`)}
    </span>
  );
}

/** How far a booking is paid. Only what asks for somebody carries colour. */
export function Paid({ state }: { state: PaymentState }) {
  const { t } = useTranslation('bookings');
  return (
    <span className={classes['paid']} data-state={state}>
      {state === 'problem' ? <IconAlertTriangle size={16} stroke={1.75} aria-hidden /> : null}
      {t(`paid.${state}`)}
    </span>
  );
}
