import { QueryState, useConfigQuery } from '@portage/frame';
import { CardEntry, type CardHandle } from '@portage/payments';
import type { ReactNode, Ref } from 'react';

import { SupportLinks } from './chat/support-links.tsx';

/** The card form of this server's gateway, with our ways to reach somebody when it does not come. */
export function CardForm({
  ref,
  clientToken,
  help = <SupportLinks />,
}: {
  ref: Ref<CardHandle>;
  /** For somebody who is not signed in: what the page was given for the gateway's fields. */
  clientToken?: () => Promise<string>;
  help?: ReactNode;
}) {
  const config = useConfigQuery();
  return (
    <>
      {config.isError ? <QueryState query={config}>{() => null}</QueryState> : null}
      <CardEntry ref={ref} provider={config.data?.payments.provider} help={help} clientToken={clientToken} />
    </>
  );
}
