import { TextInput } from '@mantine/core';
import { api, asProblem, type DeskBooking, type DeskConsent, unwrap } from '@portage/api';
import { formatSentences, useLanguage } from '@portage/i18n';
import { Dialog, ErrorState, Notice, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './record.module.css';
import { usePress } from './use-press.ts';
import { useShortWhen } from './use-when.ts';

/** The newest question that waits for its answer, or whose charges wait on without one. */
function waitingOf({ consents, chargesWait }: DeskBooking): DeskConsent | null {
  const open = consents.findLast(
    ({ kind, standing }) =>
      standing === 'asked' || (kind === 'recharge' && chargesWait && (standing === 'lapsed' || standing === 'refused')),
  );
  return open ?? null;
}

/** The words of a question, in the language in which they were asked. */
function Words({ consent }: { consent: DeskConsent }) {
  return (
    <div className={classes['quote']} lang={consent.language === 'zh' ? 'zh-Hans' : `${consent.language}-CA`}>
      {consent.text.split('\n').map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

/** That no card is charged until the customer agrees, or that overtime waits for them; and what staff can do about it. */
export function ConsentWaits({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const when = useShortWhen();
  const [noting, setNoting] = useState(false);
  const waiting = waitingOf(booking);
  const { press, renew } = usePress(
    (key) =>
      unwrap(
        api.POST('/bookings/{id}/consent-link', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key } },
        }),
      ).then(({ sentTo, expiresAt }) =>
        showToast({
          text: t('asked.sent', { email: sentTo, until: when(expiresAt) }),
          seconds: 12,
        }),
      ),
    () => undefined,
  );
  // another press is another question
  const askAgain = () => press.mutate(undefined, { onSuccess: renew });
  if (booking.status === 'cancelled' || (!booking.chargesWait && waiting === null)) return null;
  const recharge = booking.chargesWait;
  const state =
    waiting?.standing === 'asked'
      ? t('asked.sent', { email: waiting.sentTo, until: when(waiting.expiresAt) })
      : waiting?.standing === 'refused'
        ? t('asked.refused')
        : t('asked.lapsed');
  return (
    <Notice tone="warning" title={recharge ? t('asked.recharge') : t('asked.overtime')}>
      <p>
        {formatSentences(
          [
            recharge ? t('asked.nothing') : null,
            state,
            recharge && waiting?.standing === 'asked' ? t('asked.then') : null,
          ],
          language,
        )}
      </p>
      <div className={classes['actions']}>
        {recharge ? (
          <DeskButton busy={press.isPending} onClick={askAgain}>
            {t('asked.again')}
          </DeskButton>
        ) : null}
        {waiting ? <DeskButton onClick={() => setNoting(true)}>{t('asked.phone')}</DeskButton> : null}
      </div>
      {press.isError ? (
        <Notice tone="error" live led title={t('asked.failed')} onDismiss={press.reset}>
          <Reason failure={asProblem(press.error)} />
        </Notice>
      ) : null}
      {noting && waiting ? <PhoneDialog booking={booking} consent={waiting} onClose={() => setNoting(false)} /> : null}
    </Notice>
  );
}

interface PhoneDialogProps {
  booking: DeskBooking;
  consent: DeskConsent;
  onClose: () => void;
}

/** The words to read out on the telephone, and who said yes to them. */
function PhoneDialog({ booking, consent, onClose }: PhoneDialogProps) {
  const { t } = useTranslation(['record', 'common', 'shell']);
  const [note, setNote] = useState('');
  const { press, renew } = usePress(
    (key) =>
      unwrap(
        api.POST('/bookings/{id}/consent', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key } },
          body: { consentId: consent.id, note: note.trim() },
        }),
      ),
    () => {
      showToast({ text: t('asked.noted', { code: booking.shortId }) });
      onClose();
    },
  );
  return (
    <Dialog
      opened
      title={t('asked.phoneTitle', { code: booking.shortId })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton
            variant="primary"
            disabled={note.trim() === ''}
            busy={press.isPending}
            onClick={() => press.mutate()}
          >
            {t('asked.run')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <p>{t('asked.read')}</p>
        <Words consent={consent} />
        <TextInput
          label={t('overtime.who')}
          required
          withAsterisk={false}
          description={t('shell:field.needed')}
          value={note}
          maxLength={500}
          onChange={(event) => {
            setNote(event.currentTarget.value);
            renew();
          }}
        />
        {press.isError ? <ErrorState led failure={asProblem(press.error)} title={t('asked.notNoted')} /> : null}
      </div>
    </Dialog>
  );
}

/** Everything the customer was asked, with the exact words and what they said, the newest first. */
export function ConsentList({ consents }: { consents: DeskConsent[] }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const when = useShortWhen();
  return (
    <ul className={classes['asked']}>
      {consents.toReversed().map((one) => (
        <li key={one.id}>
          <details>
            <summary>
              {t(`asked.is.${one.standing}`, { what: t(`asked.kind.${one.kind}`) })}{' '}
              <span className="pg-muted">{when(one.answeredAt ?? one.askedAt)}</span>
            </summary>
            <Words consent={one} />
            <p className="pg-small pg-muted">
              {formatSentences(
                [
                  t('asked.mailed', { email: one.sentTo, when: when(one.askedAt) }),
                  one.how === 'telephone' ? t('asked.byPhone', { note: one.note }) : null,
                  one.how === 'link' ? t('asked.byLink') : null,
                ],
                language,
              )}
            </p>
          </details>
        </li>
      ))}
    </ul>
  );
}
