import { Button } from '@mantine/core';
import { api, type Booking, unwrap } from '@portage/api';
import { parseCents, plainAmount, tipCents } from '@portage/domain';
import { FormShell, useFormShell } from '@portage/forms';
import { ChoiceField, fieldId, TextField } from '@portage/kit';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';

const readable = (type: 'amount' | 'percent', value: string) =>
  value.trim() !== '' && parseCents(value) !== null && tipCents(type, value, '0.00') !== null;
const schema = z.object({ type: z.enum(['amount', 'percent']), value: z.string() }).check(
  z.refine(({ type, value }) => type !== 'amount' || readable(type, value), {
    error: 'domain:tip.invalid',
    path: ['value'],
  }),
  z.refine(({ type, value }) => type !== 'percent' || readable(type, value), {
    error: 'domain:tip.invalidPercent',
    path: ['value'],
  }),
);

/** The tip of a booking: dollars, or a share of its price. */
export function TipForm({ booking, onDone }: { booking: Booking; onDone: (saved: boolean) => void }) {
  const { t } = useTranslation(['domain', 'common']);
  const queries = useQueryClient();
  const { tip } = booking;
  const shell = useFormShell({
    schema,
    defaultValues: { type: tip?.type === 'percent' ? 'percent' : 'amount', value: tip?.value ?? '' },
    labels: { type: t('domain:tip.how'), value: t('domain:tip.title') },
    check: 'onSubmit',
    leadTo: 'field',
    send: ({ type, value }) =>
      unwrap(
        api.PUT('/tip/{id}', {
          params: { path: { id: tip?.id ?? booking.id }, header: tip ? { 'If-Match': `"${tip.version}"` } : {} },
          body: { type, value: plainAmount(value) },
        }),
      ),
    onTaken: async () => {
      await queries.invalidateQueries({ queryKey: bookingQuery(booking.id).queryKey });
      onDone(true);
    },
  });
  const { control } = shell.form;
  const type = useWatch({ control, name: 'type' });
  // it takes the place of the button that opened it
  useEffect(() => {
    document.getElementById(fieldId('value'))?.focus();
  }, []);
  const units = { amount: t('domain:tip.amount'), percent: t('domain:tip.percent') };
  return (
    <FormShell
      shell={shell}
      size="md"
      submitLabel={t('common:action.save')}
      actions={
        <Button variant="default" onClick={() => onDone(false)}>
          {t('common:action.cancel')}
        </Button>
      }
    >
      <ChoiceField
        control={control}
        name="type"
        label={t('domain:tip.how')}
        columns="row"
        choices={[
          { value: 'amount', label: units.amount },
          { value: 'percent', label: units.percent },
        ]}
      />
      <TextField control={control} name="value" label={units[type]} inputMode="decimal" autoComplete="off" maw={280} />
    </FormShell>
  );
}
