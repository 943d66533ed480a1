import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { api, asProblem, type DeskBooking, type OvertimeCause, overtimeCauses, unwrap } from '@portage/api';
import { Dialog, ErrorState, Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useMoney } from '../parts/use-money.ts';
import { overtimeQuery } from './queries.ts';
import classes from './record.module.css';
import { usePress } from './use-press.ts';
import { useShortWhen } from './use-when.ts';

const longest = 1440;

/** The minutes of a text; null when it is no whole number of them. */
function minutesOf(text: string): number | null {
  const minutes = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0;
  return minutes >= 1 && minutes <= longest ? minutes : null;
}

interface OvertimeDialogProps {
  booking: DeskBooking;
  onClose: () => void;
}

/** Adds time beyond what was agreed. What it costs is shown before; the customer's yes is asked for and kept. */
export function OvertimeDialog({ booking, onClose }: OvertimeDialogProps) {
  const { t } = useTranslation(['record', 'common']);
  const money = useMoney();
  const when = useShortWhen();
  const [text, setText] = useState('');
  const [cause, setCause] = useState<OvertimeCause | ''>('');
  const [agreed, setAgreed] = useState(false);
  const [who, setWho] = useState('');
  const minutes = minutesOf(text);
  const price = useQuery(overtimeQuery(booking.id, minutes));
  const { press, renew } = usePress(
    (key) =>
      unwrap(
        api.POST('/bookings/{id}/overtime', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key } },
          body: { minutes: minutes ?? 0, cause: cause || 'other', consent: agreed, consentNote: who.trim() || null },
        }),
      ),
    () => {
      showToast({ text: t('overtime.done', { amount: money(price.data?.total ?? '0.00'), code: booking.shortId }) });
      onClose();
    },
  );
  const asking = usePress(
    (key) =>
      unwrap(
        api.POST('/bookings/{id}/overtime/consent-link', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key } },
          body: { minutes: minutes ?? 0, cause: cause || 'other' },
        }),
      ).then(({ sentTo, expiresAt }) =>
        showToast({
          text: t('asked.sent', { email: sentTo, until: when(expiresAt) }),
          seconds: 12,
        }),
      ),
    onClose,
  );
  const renewBoth = () => {
    renew();
    asking.renew();
  };
  const known = price.data !== undefined && cause !== '';
  const complete = known && agreed && who.trim() !== '';
  return (
    <Dialog
      opened
      title={t('overtime.title', { code: booking.shortId })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton disabled={!known} busy={asking.press.isPending} onClick={() => asking.press.mutate()}>
            {t('asked.byMail')}
          </DeskButton>
          <DeskButton variant="primary" disabled={!complete} busy={press.isPending} onClick={() => press.mutate()}>
            {t('overtime.run')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <TextInput
          label={t('overtime.minutes')}
          inputMode="numeric"
          autoComplete="off"
          value={text}
          maxLength={5}
          error={text.trim() !== '' && minutes === null ? t('overtime.unreadable') : undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
            renewBoth();
          }}
        />
        <NativeSelect
          label={t('overtime.cause')}
          value={cause}
          onChange={(event) => {
            setCause(overtimeCauses.find((one) => one === event.currentTarget.value) ?? '');
            renewBoth();
          }}
          data={[
            { value: '', label: t('overtime.choose') },
            ...overtimeCauses.map((value) => ({ value, label: t(`overtime.because.${value}`) })),
          ]}
        />
        <div role="status">
          {price.data ? (
            <dl className={classes['sums']}>
              <div>
                <dt>{t('overtime.costs')}</dt>
                <dd>
                  <Money value={price.data.total} />
                </dd>
              </div>
              <div>
                <dt>{t('overtime.newTotal')}</dt>
                <dd>
                  <Money value={price.data.newTotal} />
                </dd>
              </div>
            </dl>
          ) : null}
        </div>
        {price.isError ? <ErrorState failure={asProblem(price.error)} title={t('overtime.refused')} /> : null}
        <Checkbox
          label={t('overtime.agreed')}
          checked={agreed}
          onChange={(event) => {
            setAgreed(event.currentTarget.checked);
            renewBoth();
          }}
        />
        <TextInput
          label={t('overtime.who')}
          value={who}
          maxLength={500}
          onChange={(event) => {
            setWho(event.currentTarget.value);
            renewBoth();
          }}
        />
        <p className="pg-help">{t('asked.orByMail')}</p>
        {asking.press.isError ? (
          <ErrorState led failure={asProblem(asking.press.error)} title={t('asked.failed')} />
        ) : null}
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('overtime.failed')} /> : null}
      </div>
    </Dialog>
  );
}
