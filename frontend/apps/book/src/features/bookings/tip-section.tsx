import { Button } from '@mantine/core';
import type { Booking } from '@portage/api';
import { centsOf, usePolicyValues } from '@portage/domain';
import { formatMoney, useLanguage } from '@portage/i18n';
import { Money, Notice } from '@portage/kit';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { TipForm } from './tip-form.tsx';

/** The tip, and its form while it is not charged. */
export function TipSection({ booking }: { booking: Booking }) {
  const { t } = useTranslation(['bookings', 'domain']);
  const language = useLanguage();
  const values = usePolicyValues(booking.paymentPlan.policy);
  const [editing, setEditing] = useState(false);
  const [edited, setEdited] = useState(false);
  // the form is gone with what had the focus in it
  const change = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) change.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const paid = booking.tip?.isPaid ?? false;
  const over = booking.status === 'cancelled' || booking.status === 'deleted';
  // a tip taken back stays as a tip of nothing
  const given = booking.tip && centsOf(booking.tip.amount) !== 0 ? booking.tip : null;
  if (over && !given) return null;
  return (
    <section aria-labelledby="booking-tip">
      <h2 id="booking-tip">{t('domain:tip.title')}</h2>
      {editing ? (
        // Escape leaves the form as the button does
        <div role="presentation" onKeyDown={(event) => event.key === 'Escape' && setEditing(false)}>
          <TipForm
            booking={booking}
            onDone={(saved) => {
              setEditing(false);
              setEdited(saved);
            }}
          />
        </div>
      ) : (
        <>
          {edited ? (
            <Notice tone="success" live>
              {given ? t('tip.changed', { amount: formatMoney(given.amount, language) }) : t('tip.removed')}
            </Notice>
          ) : null}
          <p>
            {given ? <Money value={given.amount} /> : t('domain:tip.none')}
            {given && (paid || booking.paymentPlan.policy.tipDelay > 0) ? (
              <span className="pg-muted"> · {paid ? t('tip.paid') : t('tip.later', values)}</span>
            ) : null}
          </p>
          {paid || over ? null : (
            <div>
              <Button
                ref={change}
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
