import { asProblem, type DeskBooking } from '@portage/api';
import { formatName } from '@portage/i18n';
import { Drawer } from '@portage/kit/desk/drawer';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { useKeys } from '../../../shell/keys.ts';
import { DeskStatus } from '../parts/desk-status.tsx';
import type { List } from '../list/use-list.ts';
import { KeyHint } from './key-hint.tsx';
import { bookingQuery } from './queries.ts';
import classes from './record.module.css';
import { RecordView } from './record-view.tsx';
import { Part } from './section.tsx';

/** The open record beside the list. The address says which; j and k walk on through the rows. */
export function RecordDrawer({ rows, list }: { rows: readonly DeskBooking[]; list: List }) {
  const { t } = useTranslation('record');
  const navigate = useNavigate();
  const body = useRef<HTMLDivElement>(null);
  const { open, setOpen } = list;
  const at = rows.findIndex((row) => row.id === open);
  const row = rows[at];
  const booking = useQuery({ ...bookingQuery(open ?? ''), enabled: open !== null });
  // one that is gone is not shown as the list had it
  const isGone = booking.isError && !booking.data && asProblem(booking.error).status === 404;
  const shown = isGone ? undefined : (booking.data ?? row);
  const close = useCallback(() => setOpen(null), [setOpen]);
  const go = (to: DeskBooking | undefined) => (to ? () => setOpen(to.id, true) : undefined);
  const id = open ?? '';
  useKeys(open === null ? {} : { o: () => void navigate({ to: '/bookings/$id', params: { id } }) }, {
    within: () => body.current,
  });
  return (
    <Drawer
      opened={open !== null}
      onClose={close}
      size={760}
      kicker={
        shown ? (
          <span className={classes['kicker']}>
            {shown.shortId} <DeskStatus status={shown.status} />{' '}
            <Link to="/bookings/$id" params={{ id }}>
              {t('full')}
            </Link>
            <KeyHint letter="o" />
          </span>
        ) : null
      }
      title={
        shown ? formatName(shown.customerName) : isGone ? t('gone.title') : booking.isError ? t('failed') : t('loading')
      }
      onPrevious={at >= 0 ? go(rows[at - 1]) : undefined}
      onNext={at >= 0 ? go(rows[at + 1]) : undefined}
      returnFocusTo={() => document.querySelector<HTMLElement>(`[data-grid-row="${id}"] [data-row-link]`)}
    >
      <div ref={body}>
        {isGone ? (
          <p>{t('gone.text')}</p>
        ) : (
          <Part query={booking} loading={t('loading')} failed={shown ? t('failed') : undefined}>
            {(data) => <RecordView key={data.id} booking={data} />}
          </Part>
        )}
      </div>
    </Drawer>
  );
}
