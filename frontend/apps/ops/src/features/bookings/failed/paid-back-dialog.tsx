import { TextInput } from '@mantine/core';
import { api, asProblem, type FailedCharge, type HandMethod, handMethods, unwrap } from '@portage/api';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import classes from '../record/record.module.css';
import { usePress } from '../record/use-press.ts';

/** Says how a refund that the gateway refused was given back by hand. */
export function PaidBackDialog({ row, onClose }: { row: FailedCharge; onClose: () => void }) {
  const { t } = useTranslation(['failed', 'record', 'common']);
  const money = useMoney();
  const [method, setMethod] = useState<HandMethod>('etransfer');
  const [reference, setReference] = useState('');
  const { press, renew } = usePress(
    (key) =>
      unwrap(
        api.POST('/payments/{id}/paid-back', {
          params: { path: { id: row.id }, header: { 'Idempotency-Key': key } },
          body: { method, reference: reference.trim() || null },
        }),
      ),
    () => {
      showToast({ text: t('failed:payBack.done', { amount: money(row.amount), code: row.shortId }) });
      onClose();
    },
  );
  const complete = method === 'cash' || reference.trim() !== '';
  return (
    <Dialog
      opened
      title={t('failed:payBack.title', { amount: money(row.amount), code: row.shortId })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton variant="primary" disabled={!complete} busy={press.isPending} onClick={() => press.mutate()}>
            {t('failed:payBack.run')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <p>{t('failed:payBack.text')}</p>
        <fieldset className={classes['choice']}>
          <legend>{t('failed:payBack.method')}</legend>
          {handMethods.map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="method"
                checked={method === one}
                onChange={() => {
                  setMethod(one);
                  renew();
                }}
              />
              {t(`record:hand.with.${one}`)}
            </label>
          ))}
        </fieldset>
        <TextInput
          label={t(`record:hand.reference.${method}`)}
          value={reference}
          maxLength={100}
          onChange={(event) => {
            setReference(event.currentTarget.value);
            renew();
          }}
        />
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('failed:refused')} /> : null}
      </div>
    </Dialog>
  );
}
