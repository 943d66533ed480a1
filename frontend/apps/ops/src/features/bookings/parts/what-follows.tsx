import type { BookingStatus } from '@portage/api';
import { useTranslation } from 'react-i18next';

/** What follows from giving a booking this status, besides the word in the list. */
export function WhatFollows({ status }: { status: BookingStatus }) {
  const { t } = useTranslation('bookings');
  if (status !== 'assigned' && status !== 'pending' && status !== 'completed') return null;
  return <p className="pg-help">{t(`follows.${status}`)}</p>;
}
