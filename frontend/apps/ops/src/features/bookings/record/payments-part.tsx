import { type DeskBooking, type DeskCredit, serverNow } from '@portage/api';
import { centsOf } from '@portage/domain';
import { formatList, useLanguage } from '@portage/i18n';
import { Money } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CreditDialog } from './credit-dialog.tsx';
import { moneyBack, usePaidBy } from './money.ts';
import { LinkState } from './payment-link.tsx';
import { OvertimeDialog } from './overtime-dialog.tsx';
import { PaymentRow } from './payment-row.tsx';
import { paymentsQuery } from './queries.ts';
import { ReceivedDialog } from './received-dialog.tsx';
import classes from './record.module.css';
import { Part, Section } from './section.tsx';
import { StatementPart } from './statement-part.tsx';
import { useShortWhen } from './use-when.ts';

/** What staff gave back or waived, why and who. */
function Given({ credit }: { credit: DeskCredit }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const when = useShortWhen();
  const facts = [when(credit.at), credit.by, credit.ended ? t('credit.ended') : null].filter((one) => one != null);
  return (
    <li className={classes['payment']}>
      <span>
        <strong>{t(`credit.word.${credit.kind}`)}</strong>{' '}
        <span className={classes['meta']}>{formatList(facts, language)}</span>
        <span className={classes['quote']}>{credit.reason}</span>
      </span>
      <Money value={credit.amount} />
    </li>
  );
}

/** Time that was added, and whose yes to it there is. */
function More({ overtime }: { overtime: DeskBooking['overtime'][number] }) {
  const { t } = useTranslation('record');
  const language = useLanguage();
  const when = useShortWhen();
  const facts = [when(overtime.at), t(`overtime.because.${overtime.cause}`)];
  return (
    <li className={classes['payment']}>
      <span>
        <strong>{t('overtime.line', { minutes: overtime.minutes })}</strong>{' '}
        <span className={classes['meta']}>{formatList(facts, language)}</span>
        {overtime.consent ? <span className={classes['quote']}>{overtime.consent}</span> : null}
      </span>
      <span>
        <Money value={overtime.amount} /> <span className={classes['meta']}>{t('overtime.beforeTax')}</span>
      </span>
    </li>
  );
}

/** What happened with the money and what comes. */
export function PaymentsPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const paidBy = usePaidBy(booking);
  const back = moneyBack(booking);
  const payments = useQuery(paymentsQuery(booking.id));
  const [open, setOpen] = useState<'credit' | 'received' | 'overtime' | null>(null);
  const close = () => setOpen(null);
  const begun = Date.parse(booking.startsAt) <= serverNow();
  const takesLonger = booking.status === 'completed' || (booking.status === 'assigned' && begun);
  return (
    <Section title={t('part.payments')} money>
      {paidBy ? <p>{paidBy}</p> : null}
      <LinkState booking={booking} />
      <Part query={payments} loading={t('part.payments')} failed={t('pay.failed')}>
        {({ data, credits, credited, most, netPaid, owed }) => (
          <>
            {data.length === 0 ? <p className="pg-muted">{t('pay.none')}</p> : null}
            <ul>
              {data.map((payment) => (
                <PaymentRow key={payment.id} payment={payment} />
              ))}
            </ul>
            {credits.length > 0 ? (
              <ul aria-label={t('credit.given')}>
                {credits.map((credit) => (
                  <Given key={credit.at} credit={credit} />
                ))}
              </ul>
            ) : null}
            {booking.overtime.length > 0 ? (
              <ul aria-label={t('overtime.given')}>
                {booking.overtime.map((one) => (
                  <More key={one.at} overtime={one} />
                ))}
              </ul>
            ) : null}
            <dl className={classes['sums']}>
              {centsOf(credited) > 0 ? (
                <div>
                  <dt>{t('credit.given')}</dt>
                  <dd>
                    <Money value={credited} />
                  </dd>
                </div>
              ) : null}
              {back ? (
                <>
                  <div>
                    <dt>{t('pay.taken')}</dt>
                    <dd>
                      <Money value={back.paid} />
                    </dd>
                  </div>
                  <div>
                    <dt>{t('pay.back')}</dt>
                    <dd>
                      <Money value={back.back} />
                    </dd>
                  </div>
                  {back.waits ? (
                    <div>
                      <dt>{t('pay.waits')}</dt>
                      <dd>
                        <Money value={back.waits} />
                      </dd>
                    </div>
                  ) : null}
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
            <p className={classes['buttons']}>
              {centsOf(owed) > 0 ? <DeskButton onClick={() => setOpen('received')}>{t('hand.open')}</DeskButton> : null}
              {takesLonger ? <DeskButton onClick={() => setOpen('overtime')}>{t('overtime.open')}</DeskButton> : null}
              {centsOf(most.refund) > 0 || centsOf(most.goodwill) > 0 ? (
                <DeskButton onClick={() => setOpen('credit')}>{t('credit.open')}</DeskButton>
              ) : null}
            </p>
            {open === 'received' ? <ReceivedDialog booking={booking} owed={owed} onClose={close} /> : null}
            {open === 'overtime' ? <OvertimeDialog booking={booking} onClose={close} /> : null}
            {open === 'credit' ? <CreditDialog booking={booking} most={most} onClose={close} /> : null}
            <StatementPart booking={booking} />
            <p className={classes['alone']}>
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
