import { Notice } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './calendar.module.css';
import type { AbsenceRecord } from './types.ts';

/** A move that who is away now stands on. */
export interface AssignedMove {
  id: string;
  /** The code that people say; the id where there is none. */
  code: string;
}

/** The moves that the answer to an absence names; a server that names none has nothing to say of them. */
export function assignedOf(made: AbsenceRecord): AssignedMove[] {
  const list = (made as { assigned?: unknown }).assigned;
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown): AssignedMove[] => {
    const { id, shortId } = (one ?? {}) as Record<string, unknown>;
    return typeof id === 'string' ? [{ id, code: typeof shortId === 'string' ? shortId : id }] : [];
  });
}

interface StillAssignedProps {
  moves: readonly AssignedMove[];
  onDismiss: () => void;
}

/** Says which moves need somebody else now, each with the way to it. */
export function StillAssigned({ moves, onDismiss }: StillAssignedProps) {
  const { t } = useTranslation('calendar');
  return (
    <Notice tone="warning" live led title={t('assigned', { count: moves.length })} onDismiss={onDismiss}>
      <ul className={classes['list']}>
        {moves.map(({ id, code }) => (
          <li key={id}>
            <Link to="/bookings/$id" params={{ id }}>
              {code}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
