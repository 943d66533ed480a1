import { LoadingState } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import { Photos } from '../../booking/checkout/photos.tsx';
import { useDraft } from '../../booking/draft/draft-store.ts';

/** Photos belong to a booking: while one is edited they are here, before there is one this says when they can be added. */
export function SpecialPhotos() {
  const { t } = useTranslation('move');
  const { editing } = useDraft();
  if (editing === null) return <p className="pg-small pg-muted">{t('items.photosLater')}</p>;
  return <Edited id={editing} />;
}

function Edited({ id }: { id: string }) {
  const { data } = useQuery(bookingQuery(id));
  const { ready } = useTranslation('checkout', { useSuspense: false });
  // whatever keeps them away, the move can be changed without them
  if (!data || !ready) return data === undefined ? null : <LoadingState rows={1} />;
  return <Photos booking={data} />;
}
