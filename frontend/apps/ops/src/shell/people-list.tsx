import type { DeskBooking } from '@portage/api';
import { formatName } from '@portage/i18n';
import { IconChevronRight } from '@tabler/icons-react';

import classes from './people-list.module.css';

interface PeopleListProps {
  /** A booking of each. */
  people: readonly DeskBooking[];
  /** Name of the list. */
  label: string;
  /** One of them is being fetched. */
  busy?: boolean;
  onChoose: (row: DeskBooking) => void;
}

/** Customers that were found: each is pressed to go on with them. */
export function PeopleList({ people, label, busy = false, onChoose }: PeopleListProps) {
  return (
    <ul className={classes['root']} aria-label={label}>
      {people.map((row) => (
        <li key={row.customerId}>
          <button
            type="button"
            className={classes['person']}
            aria-disabled={busy || undefined}
            onClick={() => (busy ? undefined : onChoose(row))}
          >
            <span className={classes['name']}>{formatName(row.customerName)}</span>
            <span className={classes['reach']}>
              {row.customerPhone ? <span className="pg-num">{row.customerPhone}</span> : null}{' '}
              <span>{row.customerEmail}</span>
            </span>
            <IconChevronRight className={classes['sign']} size={18} stroke={1.75} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
