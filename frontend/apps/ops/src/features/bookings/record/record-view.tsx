import type { DeskBooking } from '@portage/api';
import { queryClient } from '@portage/frame';
import { useRef } from 'react';

import { useChanges } from '../../../shell/live.ts';
import { Actions } from './actions.tsx';
import { ConsentWaits } from './consents.tsx';
import { ConsentPart, CrewPart, PricePart, WhatPart, WherePart, WhoPart } from './facts.tsx';
import { Head } from './head.tsx';
import { InvoicePart } from './invoice-part.tsx';
import { NotesPart } from './notes-part.tsx';
import { PaymentsPart } from './payments-part.tsx';
import { bookingQuery } from './queries.ts';
import classes from './record.module.css';
import { Timeline } from './timeline.tsx';
import { WorkPart } from './work-part.tsx';

/** A booking with everything about it; two columns where there is room. */
export function RecordView({ booking }: { booking: DeskBooking }) {
  const root = useRef<HTMLDivElement>(null);
  // what the customer or a colleague does shows without a reload, in every part
  useChanges(({ kind, id }) => {
    if (kind === 'booking' && id === booking.id)
      void queryClient.invalidateQueries({ queryKey: bookingQuery(id).queryKey.slice(0, 3) });
  });
  return (
    <div ref={root} className={classes['root']}>
      <Head booking={booking} />
      <Actions booking={booking} within={() => root.current} />
      <ConsentWaits booking={booking} />
      <div className={classes['columns']}>
        <div className={classes['column']}>
          <WherePart booking={booking} />
          <WhatPart booking={booking} />
          <CrewPart booking={booking} />
          <WorkPart booking={booking} />
          <PricePart booking={booking} />
          <PaymentsPart booking={booking} />
          <InvoicePart booking={booking} />
        </div>
        <div className={classes['column']}>
          <WhoPart booking={booking} />
          <NotesPart booking={booking} />
          <Timeline booking={booking} />
          <ConsentPart booking={booking} />
        </div>
      </div>
    </div>
  );
}
