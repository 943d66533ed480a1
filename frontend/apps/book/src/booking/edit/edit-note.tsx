import { Button } from '@mantine/core';
import { asProblem, type Booking, type PolicyFigures } from '@portage/api';
import { usePolicyValues } from '@portage/domain';
import { leaveGuard, LinkButton } from '@portage/frame';
import { ErrorState, LoadingState, Notice, PageHeading } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { signIn, useSession } from '../../shell/session.ts';
import { draftStore, useDraft } from '../draft/draft-store.ts';
import { beginEdit } from './begin-edit.ts';

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
  const { editing } = useDraft();
  const wanted = useWanted();
  // most visits edit nothing, and need none of the texts
  return wanted === null && editing === null ? null : <Editing editing={editing} wanted={wanted} />;
}

function Editing({ editing, wanted }: { editing: string | null; wanted: string | null }) {
  const { t, ready } = useTranslation(['edit', 'checkout', 'common', 'shell'], { useSuspense: false });
  const navigate = useNavigate();
  const session = useSession();

  const booking = useQuery(beginEdit(session.status === 'signedIn' ? wanted : null));
  // away first: a page that still names the booking in its address would load it into the draft again
  const leave = async (id: string) => {
    leaveGuard.suspend();
    await navigate({ href: `/profile/bookings/${id}` });
    draftStore.endEdit();
    leaveGuard.resume();
  };
  const anonymous = wanted !== null && session.status === 'anonymous' && !session.signedOut;
  useEffect(() => {
    if (anonymous) void signIn();
  }, [anonymous]);

  if (!ready) return <LoadingState rows={1} />;
  if (booking.isError) {
    return <ErrorState failure={asProblem(booking.error)} title={t('failed')} onRetry={() => void booking.refetch()} />;
  }
  if (anonymous)
    return (
      <Notice
        tone="warning"
        action={
          <Button size="sm" onClick={() => void signIn()}>
            {t('common:action.signIn')}
          </Button>
        }
      >
        {t('shell:loginNeeded')}
      </Notice>
    );
  if (wanted !== null && booking.data?.closed) {
    const { status, policy } = booking.data;
    return <EditClosed id={wanted} status={status} policy={policy} />;
  }
  if (wanted !== null) return <LoadingState rows={1} />;
  if (editing === null) return null;
  return (
    <Notice
      action={
        <Link
          to="/profile/bookings/$bookingId"
          params={{ bookingId: editing }}
          onClick={(event) => {
            event.preventDefault();
            void leave(editing);
          }}
        >
          {t('common:action.close')}
        </Link>
      }
    >
      {t('editing')}
    </Notice>
  );
}

interface EditClosedProps {
  id: string;
  status: Booking['status'];
  policy: PolicyFigures;
}

/** In place of the wizard: all that it would ask and say of payment holds only for a booking that may still be changed. */
function EditClosed({ id, status, policy }: EditClosedProps) {
  const { t } = useTranslation(['edit', 'checkout']);
  const values = usePolicyValues(policy);
  const live = status === 'pending' || status === 'assigned';
  return (
    <>
      <PageHeading title={t('edit:closedTitle')} />
      <Notice
        tone="warning"
        live
        action={
          <LinkButton size="sm" to="/profile/bookings/$bookingId" params={{ bookingId: id }}>
            {t('checkout:booking.seeYours')}
          </LinkButton>
        }
      >
        {live ? t('checkout:changeClosed', values) : t('edit:over')}
      </Notice>
      <SupportLinks />
    </>
  );
}
