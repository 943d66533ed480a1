import { Button, TextInput } from '@mantine/core';
import { api, asProblem, type BookingDetail, unwrap } from '@portage/api';
import { parseCents, tipCents } from '@portage/domain';
import { announce, ChoiceGroup, ErrorState, Money } from '@portage/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../app/checkout/booking-query.ts';
import classes from './bookings.module.css';

/** The tip, and its form while it is not charged. */
export function TipSection({ booking }: { booking: BookingDetail }) {
  const { t } = useTranslation('bookings');
  const [editing, setEditing] = useState(false);
  const paid = booking.tip?.isPaid ?? false;
  const over = booking.status === 'cancelled' || booking.status === 'deleted';
  if (over && !booking.tip) return null;
  return (
    <section aria-labelledby="booking-tip">
      <h2 id="booking-tip">{t('tip.title')}</h2>
      {editing ? (
        <TipForm booking={booking} onDone={() => setEditing(false)} />
      ) : (
        <>
          <p>
            {booking.tip ? <Money value={booking.tip.amount} /> : t('tip.none')}
            {booking.tip ? <span className="pg-muted"> · {paid ? t('tip.paid') : t('tip.later')}</span> : null}
          </p>
          {paid || over ? null : (
            <div>
              <Button variant="default" onClick={() => setEditing(true)}>
                {booking.tip ? t('tip.change') : t('tip.add')}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function TipForm({ booking, onDone }: { booking: BookingDetail; onDone: () => void }) {
  const { t } = useTranslation(['bookings', 'common', 'domain']);
  const queries = useQueryClient();
  const [type, setType] = useState<'amount' | 'percent'>(booking.tip?.type === 'percent' ? 'percent' : 'amount');
  const [value, setValue] = useState(booking.tip?.value ?? '');
  const [wrong, setWrong] = useState(false);
  const save = useMutation({
    mutationFn: (plain: string) =>
      unwrap(
        api.PUT('/tip/{id}', {
          params: {
            path: { id: booking.tip?.id ?? booking.id },
            header: booking.tip ? { 'If-Match': `"${booking.tip.version}"` } : {},
          },
          body: { type, value: plain },
        }),
      ),
    onSuccess: async () => {
      announce(t('bookings:value.edited'));
      await queries.invalidateQueries({ queryKey: bookingQuery(booking.id).queryKey });
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const valid = value.trim() !== '' && parseCents(value) !== null && tipCents(type, value, booking.amount) !== null;
    setWrong(!valid);
    // a decimal comma becomes a dot
    if (valid && !save.isPending)
      save.mutate(
        value
          .trim()
          .replaceAll(/[\s\u00A0\u202F$%]/g, '')
          .replace(',', '.'),
      );
    if (!valid) document.getElementById('tip-value')?.focus();
  };
  return (
    <form onSubmit={submit} noValidate className={classes['tipForm']}>
      <ChoiceGroup
        legend={t('bookings:tip.how')}
        name="tip-type"
        columns="row"
        value={type}
        onChange={setType}
        choices={[
          { value: 'amount', label: t('bookings:tip.amount') },
          { value: 'percent', label: t('bookings:tip.percent') },
        ]}
      />
      <TextInput
        id="tip-value"
        label={type === 'amount' ? t('bookings:tip.amount') : t('bookings:tip.percent')}
        inputMode="decimal"
        autoComplete="off"
        maw={280}
        value={value}
        error={wrong ? t('bookings:tip.invalid') : undefined}
        onChange={(event) => {
          setValue(event.currentTarget.value);
          setWrong(false);
        }}
      />
      {save.isError ? <ErrorState failure={asProblem(save.error)} title={t('common:page.saveFailed')} /> : null}
      <div className={classes['actions']}>
        <Button type="submit" loading={save.isPending}>
          {t('common:action.save')}
        </Button>
        <Button variant="default" onClick={onDone}>
          {t('common:action.cancel')}
        </Button>
      </div>
    </form>
  );
}
