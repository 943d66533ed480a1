import { type DeskBooking, type DeskEvent, handMethods } from '@portage/api';
import { formatName } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { statuses } from '../list/filters.ts';
import { useTrouble, useTypeName } from '../../../shell/messages/type-name.ts';
import { usePaymentWords } from '../parts/payment-words.ts';
import { useMoney } from '../parts/use-money.ts';
import { historyQuery, messagesQuery, notesQuery } from './queries.ts';
import classes from './record.module.css';
import { Section } from './section.tsx';
import { changesOf, type Moment, momentsOf, type Stream, streams, valueText } from './stream.ts';
import { useEditText } from './use-edit-text.ts';
import { useShortWhen } from './use-when.ts';

/** How a try at the gateway ended, as the state of a charge that means the same. */
const tries: Record<string, string> = {
  sent: 'processing',
  applied: 'captured',
  declined: 'hard_declined',
  lost: 'unknown',
};
/** Reasons that the program gives of itself, and how they read. */
const own = {
  payment_failed: 'line.notPaid',
  consent_missing: 'line.notAnswered',
  consent_refused: 'line.notAgreed',
} as const;
const isOwn = (reason: unknown): reason is keyof typeof own => typeof reason === 'string' && reason in own;
const mailStates = ['queued', 'sent', 'delivered', 'failed', 'dead'] as const;

/** Whose wish or fault a cancellation was, where somebody decided it. */
type Cause = 'customer' | 'company';

function What({ moment, cause }: { moment: Moment; cause: Cause | null }) {
  const { t } = useTranslation(['record', 'bookings']);
  const money = useMoney();
  const words = usePaymentWords();
  const edit = useEditText();
  const nameOf = useTypeName();
  const troubleOf = useTrouble();
  /** A try at the gateway, told as where the money then is. */
  const chargeState = (kind: string, state: string) => {
    if (kind === 'refund' && state === 'applied') return words.state('refunded');
    return state === 'not_applied' ? t('state.not_applied') : words.state(tries[state] ?? state);
  };
  const moneyMoment = ({ kind: happened, what }: DeskEvent) => {
    const kind = valueText(what['kind']);
    if (happened === 'credit') return t(`credit.word.${kind === 'refund' ? 'refund' : 'goodwill'}`);
    if (happened === 'byHand') {
      const method = handMethods.find((one) => one === what['method']) ?? 'cash';
      return t('line.charge', {
        kind: t(`hand.with.${method}`),
        state: what['neverCame'] === true ? t('hand.out') : words.state(kind === 'refund' ? 'refunded' : 'settled'),
      });
    }
    return t('line.charge', { kind: words.kind(kind), state: chargeState(kind, valueText(what['state'])) });
  };
  const status = (value: unknown) => {
    const known = statuses.find((one) => one === value);
    return known ? t(`bookings:status.${known}`) : valueText(value);
  };
  if (moment.stream === 'note')
    return (
      <>
        <span className={classes['note']}>{moment.note.text}</span>
        {moment.note.visibility === 'crew' ? <span className={classes['state']}>{t('note.forCrew')}</span> : null}
      </>
    );
  if (moment.stream === 'message') {
    const { message } = moment;
    const text = message.channel === 'sms';
    const state = mailStates.find((one) => one === message.state);
    const trouble = troubleOf(message.trouble);
    const stands = text && state === 'failed' ? t('mail.undelivered') : state ? t(`mail.${state}`) : message.state;
    return (
      <>
        <strong>{message.subject ?? nameOf(message.messageType)}</strong>{' '}
        <span className={classes['state']}>{stands}</span>
        {trouble ? <span className={classes['quote']}>{trouble}</span> : null}
        <details className={classes['mail']}>
          <summary>{t('line.read')}</summary>
          <p className="pg-muted">
            {text ? t('line.sms', { recipient: message.recipient }) : t('line.mail', { recipient: message.recipient })}
          </p>
          <div className={classes['note']}>{message.text}</div>
          {text && message.segments ? (
            <p className="pg-muted">{t('line.segments', { count: message.segments })}</p>
          ) : null}
          {text && message.providerId ? (
            <p className="pg-muted">{t('line.provider', { name: message.providerId })}</p>
          ) : null}
        </details>
      </>
    );
  }
  const { what } = moment.event;
  if (moment.stream === 'status')
    return (
      <>
        <strong>
          {what['from'] ? t('line.fromTo', { from: status(what['from']), to: status(what['to']) }) : status(what['to'])}
        </strong>
        {cause ? <span className={classes['state']}> {t(`line.cause.${cause}`)}</span> : null}
        {what['reason'] ? (
          <span className={classes['quote']}>
            {isOwn(what['reason']) ? t(own[what['reason']]) : valueText(what['reason'])}
          </span>
        ) : null}
      </>
    );
  if (moment.stream === 'money') {
    const why = what['reason'] ?? what['reference'];
    return (
      <>
        <strong>{moneyMoment(moment.event)}</strong>{' '}
        <span className="pg-num">{typeof what['amount'] === 'string' ? money(what['amount']) : ''}</span>
        {typeof why === 'string' && why ? <span className={classes['quote']}>{why}</span> : null}
      </>
    );
  }
  return (
    <>
      <strong>{t('line.changed')}</strong>
      {changesOf(moment.event).map(({ field, before, after }) => (
        <span key={field} className={classes['change']}>
          {edit(field, before, after)}
        </span>
      ))}
    </>
  );
}

/** Everything that happened to the booking in one stream, the newest first; chips choose kinds of it. */
export function Timeline({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation(['record', 'bookings']);
  const when = useShortWhen();
  const [shown, setShown] = useState<Stream | null>(null);
  const history = useQuery(historyQuery(booking.id));
  const messages = useQuery(messagesQuery(booking.id));
  const notes = useQuery(notesQuery(booking.id));
  const failed = [history, messages, notes].some((one) => one.isError);
  const all = momentsOf(history.data?.data ?? [], messages.data?.data ?? [], notes.data?.data ?? []);
  const moments = all.filter((moment) => shown === null || moment.stream === shown);
  const by = booking.cancelledBy;
  const cancelled = all.find((one) => one.stream === 'status' && one.event.what['to'] === 'cancelled');
  const causeOf = (moment: Moment) => (moment === cancelled && (by === 'customer' || by === 'company') ? by : null);
  const who = (moment: Moment) => {
    if (moment.stream === 'note') {
      const { mate, author } = moment.note;
      return mate ? t('note.byMate', { name: formatName(mate.name ?? '') }) : (author?.name ?? t('line.system'));
    }
    if (moment.stream === 'message') return t('line.system');
    return moment.event.actorName ?? (moment.event.actor ? moment.event.role : t('line.system'));
  };
  return (
    <Section title={t('part.timeline')} money>
      <div role="group" aria-label={t('line.filter')} className={classes['chips']}>
        {([null, ...streams] as const).map((stream) => (
          <button
            key={stream ?? 'all'}
            type="button"
            className={classes['chip']}
            aria-pressed={shown === stream}
            onClick={() => setShown(stream)}
          >
            {stream === null ? t('bookings:views.all') : stream === 'note' ? t('part.notes') : t(`line.${stream}`)}
          </button>
        ))}
      </div>
      {failed ? (
        <p role="alert" className="pg-error">
          {t('line.failed')}
        </p>
      ) : null}
      {moments.length === 0 && !history.isPending ? <p className="pg-muted">{t('line.empty')}</p> : null}
      <ol className={classes['stream']}>
        {moments.map((moment) => (
          <li key={moment.key} data-stream={moment.stream}>
            <What moment={moment} cause={causeOf(moment)} />
            <span className={classes['meta']}>{t('line.by', { when: when(moment.at), who: who(moment) })}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
