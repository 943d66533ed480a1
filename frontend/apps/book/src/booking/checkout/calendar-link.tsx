import { Button } from '@mantine/core';
import type { Booking } from '@portage/api';
import { useArrivalText } from '@portage/domain';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { calendarFile } from './ics.ts';

/** Puts the move into the person's own calendar. The file is made here; nothing is fetched. */
export function CalendarLink({ booking }: { booking: Booking }) {
  const { t } = useTranslation('checkout');
  const arrival = useArrivalText();
  const save = () => {
    const text = calendarFile({
      id: booking.id,
      startsAt: booking.startsAt,
      minutes: booking.estimatedDuration,
      createdAt: booking.createdAt,
      summary: t('calendar.summary', { id: booking.shortId }),
      location: booking.pickup.fullAddress,
      description: t('calendar.description', {
        pickup: booking.pickup.fullAddress,
        dropoff: booking.dropoff.fullAddress,
        arrival: arrival({ startsAt: booking.startsAt, time: booking.time, window: booking.arrivalWindow }),
      }),
      url: `${location.origin}/profile/bookings/${booking.id}`,
    });
    const url = URL.createObjectURL(new Blob([text], { type: 'text/calendar;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `portage-${booking.shortId}.ics`;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Button variant="default" onClick={save} leftSection={<IconCalendarPlus size={20} stroke={1.75} aria-hidden />}>
      {t('calendar.add')}
    </Button>
  );
}
