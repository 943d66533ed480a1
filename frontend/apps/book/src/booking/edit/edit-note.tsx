import { Button } from '@mantine/core';
import { api, asProblem, type BookedLocation, type Booking, unwrap } from '@portage/api';
import { leaveGuard } from '@portage/frame';
import { ErrorState, LoadingState, Notice } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { signIn, useSession } from '../../shell/session.ts';
import { draftStore, useDraft } from '../draft/draft-store.ts';
import type { Draft } from '../draft/draft.ts';
import { type DraftEnd, emptyEnd } from '../draft/ends.ts';

function endOf(location: BookedLocation): DraftEnd {
  const { country, province, postalCode, city, street, fullAddress } = location;
  const { coords, unit, floor, elevator, parking, accessibility, details } = location;
  const address = { country, province, postalCode, city, street, unit: '', fullAddress };
  return {
    ...emptyEnd(),
    place: { address, coords: coords ?? null, area: null },
    unit,
    floor,
    elevator,
    parking,
    accessibility,
    details,
  };
}

/** A booking as a draft, so that the wizard can change it. */
export function draftOfBooking(booking: Booking): Partial<Draft> {
  return {
    editing: booking.id,
    editingVersion: booking.version,
    status: booking.status,
    ends: { pickup: endOf(booking.pickup), dropoff: endOf(booking.dropoff) },
    bookingType: booking.moveType,
    selectedFurnitures: booking.items,
    mateCount: booking.mateCount,
    clientAsMate: booking.clientAsMate,
    justMates: booking.justMates,
    rideAlong: booking.rideAlong,
    date: booking.date,
    time: booking.time,
    zone: booking.zone,
    startsAt: booking.startsAt,
    discountCode: booking.discountCode,
    comments: booking.comments,
    guidelinesAgreed: true,
  };
}

/** The booking named by `?edit=` that is not in the draft yet. */
function useWanted(): string | null {
  const { editing } = useDraft();
  const { edit } = useSearch({ from: '/wizard' });
  return edit && edit !== editing ? edit : null;
}

export function useEditPending(): boolean {
  return useWanted() !== null;
}

/** Loads the booking named by `?edit=`, says that it is being edited, and offers the way out, which changes nothing. */
export function EditNote() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const { editing } = useDraft();
  const wanted = useWanted();

  const booking = useQuery({
    queryKey: ['/c/bookings/{id}', wanted, 'edit'],
    enabled: wanted !== null && session.status === 'signedIn',
    queryFn: ({ signal }) => unwrap(api.GET('/c/bookings/{id}', { params: { path: { id: wanted ?? '' } }, signal })),
    meta: { personal: true },
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = booking;
  // away first: a page that still names the booking in its address would load it into the draft again
  const leave = async (id: string) => {
    leaveGuard.suspend();
    await navigate({ href: `/profile/bookings/${id}` });
    draftStore.endEdit();
    leaveGuard.resume();
  };
  useEffect(() => {
    if (data && wanted !== null) draftStore.edit(draftOfBooking(data));
  }, [data, wanted]);

  const anonymous = wanted !== null && session.status === 'anonymous';
  useEffect(() => {
    if (anonymous) void signIn();
  }, [anonymous]);

  if (booking.isError) {
    return (
      <ErrorState
        failure={asProblem(booking.error)}
        title={t('editing.failed')}
        onRetry={() => void booking.refetch()}
      />
    );
  }
  if (anonymous)
    return (
      <Notice
        tone="warning"
        action={
          <Button size="sm" onClick={() => void signIn()}>
            {t('action.signIn')}
          </Button>
        }
      >
        {t('page.loginNeeded')}
      </Notice>
    );
  if (wanted !== null) return <LoadingState rows={1} />;
  if (editing === null) return null;
  return (
    <Notice
      action={
        <Link
          to="/"
          onClick={(event) => {
            event.preventDefault();
            void leave(editing);
          }}
        >
          {t('action.close')}
        </Link>
      }
    >
      {t('booking.editing')}
    </Notice>
  );
}
