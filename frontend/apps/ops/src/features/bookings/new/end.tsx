import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { AddressEntry, type AddressEntryProps } from '../parts/address-entry.tsx';
import { EndPlace } from '../parts/end-place.tsx';
import formClasses from '../parts/form.module.css';
import { Group } from '../parts/move-fields.tsx';
import type { MoveEnd, Side } from '../parts/move-ends.ts';
import { fieldId } from './errors.ts';

interface EndProps {
  side: Side;
  end: MoveEnd;
  error: string | undefined;
  onEnd: (end: MoveEnd) => void;
  /** The fields of its doors. */
  children: ReactNode;
}

const entry = (props: AddressEntryProps) => <AddressEntry {...props} />;

/** One end of the move: the address, searched or by hand, and how one gets in. */
export function End({ side, end, error, onEnd, children }: EndProps) {
  const { t } = useTranslation('order');
  return (
    <Group title={t(side === 'pickup' ? 'group.from' : 'group.to')}>
      <div className={formClasses['wide']}>
        <EndPlace id={fieldId(side)} end={end} error={error} onEnd={onEnd} entry={entry} />
      </div>
      {children}
    </Group>
  );
}
