import { Button, TextInput } from '@mantine/core';
import { api, asProblem, type Booking, unwrap } from '@portage/api';
import { parseCents, tipCents } from '@portage/domain';
import { ChoiceGroup, ErrorState, Money, Notice } from '@portage/kit';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { bookingQuery } from '../../booking/checkout/booking-query.ts';
import classes from './bookings.module.css';

/** The tip, and its form while it is not charged. */
export function TipSection({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['bookings', 'domain']);
  const [editing, setEditing] = useState(false);
  const [edited, setEdited] = useState(false);
  const paid = booking.tip?.isPaid ?? false;
  const over = booking.status === 'cancelled' || booking.status === 'deleted';
  // a tip taken back stays as a tip of nothing
  const given = booking.tip && Number(booking.tip.amount) !== 0 ? booking.tip : null;
  if (over && !given) return null;
  return (
    <section aria-labelledby="booking-tip">
      <h2 id="booking-tip">{t('domain:tip.title')}</h2>
      {editing ? (
        <TipForm
          booking={booking}
          onDone={(saved) => {
            setEditing(false);
            setEdited(saved);
          }}
        />
      ) : (
        <>
          {edited ? (
            <Notice tone="success" live>
              {t('value.edited')}
            </Notice>
          ) : null}
          <p>
            {given ? <Money value={given.amount} /> : t('domain:tip.none')}
            {given ? <span className="pg-muted"> · {paid ? t('tip.paid') : t('tip.later')}</span> : null}
          </p>
          {paid || over ? null : (
            <div>
              <Button
                variant="default"
                onClick={() => {
                  setEdited(false);
                  setEditing(true);
                }}
              >
                {given ? t('tip.change') : t('tip.add')}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function TipForm({ booking, onDone }: { booking: Booking; onDone: (saved: boolean) => void }) {
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
      await queries.invalidateQueries({ queryKey: bookingQuery(booking.id).queryKey });
      onDone(true);
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
        legend={t('domain:tip.how')}
        name="tip-type"
        columns="row"
        value={type}
        onChange={setType}
        choices={[
          { value: 'amount', label: t('domain:tip.amount') },
          { value: 'percent', label: t('domain:tip.percent') },
        ]}
      />
      <TextInput
        id="tip-value"
        label={type === 'amount' ? t('domain:tip.amount') : t('domain:tip.percent')}
        inputMode="decimal"
        autoComplete="off"
        maw={280}
        value={value}
        error={wrong ? t('domain:tip.invalid') : undefined}
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
        <Button variant="default" onClick={() => onDone(false)}>
          {t('common:action.cancel')}
        </Button>
      </div>
    </form>
  );
}
