import { Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { AskPerson } from '../ask/ask-person.tsx';
import { useEstimate } from '../estimate/estimate-context.tsx';

/** Says that the way is too long to be booked online, and whom to ask: no price is shown for it. */
export function TooFar() {
  const { t } = useTranslation('wizard');
  if (useEstimate().refused !== 'distance') return null;
  return (
    <Notice tone="warning" live action={<AskPerson why={['too_far']} />}>
      {t('way.tooFar')}
    </Notice>
  );
}
