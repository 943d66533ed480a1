import { CarryLine } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { Drawer } from '@portage/kit/desk/drawer';

import { setAddress } from '../address.ts';
import type { Booking } from '../sample.ts';
import { useSay } from '../say.ts';
import { Status, useBookingColumns } from './booking-columns.tsx';
import classes from './list.module.css';

/** The record of a row, opened by the address. */
export function BookingDrawer({ rows, open }: { rows: readonly Booking[]; open: string | null }) {
  const say = useSay();
  const columns = useBookingColumns();
  const at = rows.findIndex((row) => row.code === open);
  const row = rows[at];
  const go = (to: Booking | undefined) => (to ? () => setAddress({ open: to.code }, true) : undefined);
  return (
    <Drawer
      opened={Boolean(row)}
      onClose={() => setAddress({ open: undefined })}
      kicker={
        row ? (
          <>
            {row.code} <Status state={row.state} />
          </>
        ) : null
      }
      title={row?.name ?? ''}
      onPrevious={go(rows[at - 1])}
      onNext={row ? go(rows[at + 1]) : undefined}
      returnFocusTo={() =>
        row ? document.querySelector<HTMLElement>(`[data-grid-row="${row.code}"] [data-row-link]`) : null
      }
      footer={
        <>
          <DeskButton onClick={() => setAddress({ open: undefined })}>{say('Close', 'Fermer', '关闭')}</DeskButton>
          <DeskButton variant="primary">{say('Assign crew', 'Assigner une équipe', '分派人员')}</DeskButton>
        </>
      }
    >
      {row ? (
        <>
          <dl className={classes['facts']}>
            {columns
              .filter((column) => !column.main)
              .map((column) => (
                <div key={column.key} style={{ display: 'contents' }}>
                  <dt>{column.title}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
          </dl>
          <div className={classes['stretch']}>
            <CarryLine
              label={say('The way', 'Le trajet', '路线')}
              points={[
                {
                  key: 'from',
                  state: 'done',
                  title: row.from,
                  children: say('3rd floor, no elevator', '3e étage, sans ascenseur', '3 楼，无电梯'),
                },
                { key: 'to', state: 'planned', title: row.to, children: say('Loading dock', 'Quai', '装卸区') },
              ]}
            />
          </div>
        </>
      ) : null}
    </Drawer>
  );
}
