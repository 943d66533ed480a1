import { type DeskBooking, type DeskPayment, paymentKinds } from '@portage/api';
import { formatList, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { moneyBack, usePaidBy } from './money.ts';
import { LinkState } from './payment-link.tsx';
import { paymentsQuery } from './queries.ts';
import classes from './record.module.css';
import { Part, Section } from './section.tsx';
import { useShortWhen } from './use-when.ts';

const states = [
  'scheduled',
  'processing',
  'unknown',
  'authorized',
  'captured',
  'settled',
  'soft_declined',
  'hard_declined',
  'failed',
  'voided',
  'expired',
  'skipped',
  'refunded',
  'partially_refunded',
  'charged_back',
] as const;
const troubled = new Set(['unknown', 'soft_declined', 'hard_declined', 'failed', 'charged_back']);

/** The name of a charge and the word for where it stands, for whatever the server says. */
export function usePaymentWords() {
  const { t } = useTranslation(['record', 'domain']);
  return {
    kind: (kind: string) => {
      const known = paymentKinds.find((one) => one === kind);
      if (known === 'tip' || known === 'overtime') return t(`domain:line.${known}`);
      return known ? t(`kind.${known}`) : kind;
    },
    state: (state: string) => {
      const known = states.find((one) => one === state);
      return known ? t(`state.${known}`) : state;
    },
  };
}

function Row({ payment }: { payment: DeskPayment }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const when = useShortWhen();
  const words = usePaymentWords();
  const { dueAt, settledAt, nextAttemptAt, cardLast4, message } = payment;
  const facts = [
    settledAt ? t('pay.done', { when: when(settledAt) }) : t('pay.due', { when: when(dueAt) }),
    nextAttemptAt && !settledAt ? t('pay.again', { when: when(nextAttemptAt) }) : null,
    cardLast4 ? t('pay.card', { last4: cardLast4 }) : null,
  ].filter((one) => one !== null);
  return (
    <li className={classes['payment']} data-trouble={troubled.has(payment.state) || undefined}>
      <span>
        <strong>{words.kind(payment.kind)}</strong>{' '}
        <span className={classes['state']}>{words.state(payment.state)}</span>
        <span className={classes['meta']}>{formatList(facts, language)}</span>
        {message && troubled.has(payment.state) ? <span className={classes['quote']}>{message}</span> : null}
      </span>
      <Money value={payment.amount} />
    </li>
  );
}

/** What happened with the money and what comes. */
export function PaymentsPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const paidBy = usePaidBy(booking);
  const back = moneyBack(booking);
  const payments = useQuery(paymentsQuery(booking.id));
  return (
    <Section title={t('part.payments')} money>
      {paidBy ? <p>{paidBy}</p> : null}
      <LinkState booking={booking} />
      <Part query={payments} loading={t('part.payments')} failed={t('pay.failed')}>
        {({ data, netPaid, owed }) => (
          <>
            {data.length === 0 ? <p className="pg-muted">{t('pay.none')}</p> : null}
            <ul>
              {data.map((payment) => (
                <Row key={payment.id} payment={payment} />
              ))}
            </ul>
            <dl className={classes['sums']}>
              {back ? (
                <>
                  <div>
                    <dt>{t('pay.taken')}</dt>
                    <dd>
                      <Money value={back.paid} />
                    </dd>
                  </div>
                  <div>
                    <dt>{t('cancel.refunded')}</dt>
                    <dd>
                      <Money value={back.back} />
                    </dd>
                  </div>
                </>
              ) : null}
              <div>
                <dt>{t('pay.net')}</dt>
                <dd>
                  <Money value={netPaid} />
                </dd>
              </div>
              <div>
                <dt>{t('pay.open')}</dt>
                <dd>
                  <Money value={owed} />
                </dd>
              </div>
            </dl>
            <p>
              <Link to="/card" search={{ booking: booking.id }}>
                {t('pay.addCard')}
              </Link>
            </p>
          </>
        )}
      </Part>
    </Section>
  );
}
