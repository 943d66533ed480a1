import { useTranslation } from 'react-i18next';

import { useLate } from '../../../shell/use-late.ts';
import type { AddressEntryProps } from '../parts/address-entry.tsx';
import { EndPlace } from '../parts/end-place.tsx';
import type { MoveEnd } from '../parts/move-ends.ts';
import { Part } from '../record/section.tsx';

interface PlaceProps {
  id: string;
  end: MoveEnd;
  before: MoveEnd;
  error: string | undefined;
  onEnd: (end: MoveEnd) => void;
}

const lateEntry = (props: AddressEntryProps) => <LateEntry {...props} />;

/** The address of one end. The search for another one comes when somebody asks for it: most changes need none. */
export function Place({ id, end, before, error, onEnd }: PlaceProps) {
  return <EndPlace id={id} end={end} before={before} error={error} onEnd={onEnd} entry={lateEntry} />;
}

function LateEntry(props: AddressEntryProps) {
  const { t } = useTranslation('record');
  const code = useLate('address-entry', true, () => import('../parts/address-entry.tsx'));
  return (
    <Part query={code} loading={t('loading')} failed={t('failed')}>
      {({ AddressEntry }) => <AddressEntry {...props} />}
    </Part>
  );
}
