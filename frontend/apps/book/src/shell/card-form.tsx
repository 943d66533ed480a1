import { useConfig } from '@portage/frame';
import { CardEntry, type CardHandle } from '@portage/payments';
import type { Ref } from 'react';

import { SupportLinks } from './chat/support-links.tsx';

/** The card form of this server's gateway, with our ways to reach somebody when it does not come. */
export function CardForm({ ref }: { ref: Ref<CardHandle> }) {
  const config = useConfig();
  return <CardEntry ref={ref} provider={config?.payments.provider} help={<SupportLinks />} />;
}
