import type { InvoiceRecord } from '@portage/api';
import { DeskButton } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import classes from './batch.module.css';

export type Deed = 'issue' | 'send' | 'discard' | 'look' | 'details' | 'paid' | 'back';

interface BatchActionsProps {
  invoice: InvoiceRecord;
  busy: boolean;
  act: Record<Deed, () => void>;
}

/** What can be done with a partner's invoice where it stands. */
export function BatchActions({ invoice, busy, act }: BatchActionsProps) {
  const { t } = useTranslation('batch');
  const { state, purpose } = invoice;
  const waits = purpose === 'batch' && (state === 'issued' || state === 'sent' || state === 'overdue');
  return (
    <p className={classes['tools']}>
      {state === 'draft' ? (
        <>
          <DeskButton variant="primary" busy={busy} onClick={act.send}>
            {t('issueAndSend')}
          </DeskButton>
          <DeskButton busy={busy} onClick={act.issue}>
            {t('issue')}
          </DeskButton>
          <DeskButton onClick={act.details}>{t('details.open')}</DeskButton>
          <DeskButton busy={busy} onClick={act.look}>
            {t('look')}
          </DeskButton>
          <DeskButton busy={busy} onClick={act.discard}>
            {t('discard')}
          </DeskButton>
        </>
      ) : null}
      {waits ? (
        <DeskButton variant="primary" onClick={act.paid}>
          {t('paid.open')}
        </DeskButton>
      ) : null}
      {state !== 'draft' && state !== 'void' && state !== 'deleted' ? (
        <DeskButton busy={busy} onClick={act.send}>
          {t(state === 'issued' ? 'send' : 'sendOnce')}
        </DeskButton>
      ) : null}
      {waits ? <DeskButton onClick={act.back}>{t('back.open')}</DeskButton> : null}
    </p>
  );
}
