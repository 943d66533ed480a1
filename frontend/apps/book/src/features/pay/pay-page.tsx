import { Button } from '@mantine/core';
import type { LinkPayment } from '@portage/api';
import { centsOf } from '@portage/domain';
import { LinkButton } from '@portage/frame';
import {
  formatCalendarDate,
  formatDateTime,
  formatMoney,
  formatSentences,
  formatWallTime,
  useLanguage,
} from '@portage/i18n';
import { BusyButton, LoadingState, Notice, PageHeading } from '@portage/kit';
import type { CardHandle } from '@portage/payments';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CardForm } from '../../shell/card-form.tsx';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { signIn, useSession } from '../../shell/session.ts';
import { linkQuery } from './link-query.ts';
import { Help, LinkPage } from './link-page.tsx';
import classes from './pay.module.css';
import { Stub } from './stub.tsx';
import { TroubleNotice } from './trouble-notice.tsx';
import { useLinkPayment } from './use-link-payment.ts';
import { useTheirLanguage } from './use-their-language.ts';

const myBookings = '/profile/bookings';

/** Paying a booking by the link that was mailed: for whoever holds it, signed in or not. */
export function PayPage() {
  const { t } = useTranslation('pay');
  const { token } = useParams({ from: '/site/pay/$token' });
  const query = useQuery(linkQuery(token));
  useTheirLanguage(query.data?.language);
  return (
    <LinkPage
      query={query}
      title={t('title')}
      gone={<Gone />}
      offline={
        <>
          <PageHeading title={t('title')} />
          <Notice tone="warning" live title={t('offline.title')}>
            {t('offline.text')}
          </Notice>
        </>
      }
    >
      {(payment) => <Payment key={token} token={token} payment={payment} />}
    </LinkPage>
  );
}

function Gone() {
  const { t } = useTranslation('pay');
  return (
    <>
      <PageHeading title={t('gone.title')} lead={t('gone.lead')} />
      <section aria-labelledby="ask" className={classes['section']}>
        <h2 id="ask">{t('gone.ask')}</h2>
        <SupportLinks chat={false} />
      </section>
    </>
  );
}

/** The link in whichever state it is; while a press is being worked out, what is on screen stays. */
function Payment({ token, payment }: { token: string; payment: LinkPayment }) {
  const card = useRef<CardHandle | null>(null);
  const { pay, progress, trouble, charged } = useLinkPayment(token, card);
  // a payment at the bank that failed leads back to the card
  const state = progress === 'idle' ? payment.state : 'open';
  // as long as the fields of the card may still be needed they stay: what was typed is not lost
  const keptForm = state === 'open' || state === 'working';
  return (
    <>
      {state === 'paid' ? <Paid payment={payment} charged={charged} /> : null}
      {state === 'ended' ? <Ended payment={payment} /> : null}
      {state === 'working' ? <Working payment={payment} /> : null}
      {keptForm ? (
        <div hidden={state === 'working'}>
          <Open
            token={token}
            payment={payment}
            shown={state === 'open'}
            card={card}
            progress={progress}
            notice={<TroubleNotice trouble={trouble} />}
            onPay={() => void pay(payment)}
          />
        </div>
      ) : null}
    </>
  );
}

/** What the card of the booking is charged for besides, and when; null where nothing comes. */
function useLater({ later, laterAt, zone, currency }: LinkPayment): string | null {
  const { t } = useTranslation('pay');
  const language = useLanguage();
  if (!laterAt || centsOf(later) === 0) return null;
  const amount = formatMoney(later, language, currency);
  return t('later', { amount, when: formatDateTime(laterAt, zone, language, true) });
}

interface OpenProps {
  token: string;
  payment: LinkPayment;
  shown: boolean;
  card: React.RefObject<CardHandle | null>;
  progress: 'idle' | 'card' | 'paying';
  notice: ReactNode;
  onPay: () => void;
}

function Open({ token, payment, shown, card, progress, notice, onPay }: OpenProps) {
  const { t } = useTranslation(['pay', 'payments']);
  const language = useLanguage();
  const queries = useQueryClient();
  /** The amount that stood here first: another one is never charged without a word. */
  const [first] = useState(payment.amount);
  const amount = formatMoney(payment.amount, language, payment.currency);
  const later = useLater(payment);
  const name = payment.firstName;
  const lead =
    centsOf(payment.wentBack) === 0
      ? t('pay:lead', { name })
      : t('pay:lead.back', { name, amount: formatMoney(payment.wentBack, language, payment.currency) });
  // fields that are made again later need a fresh token
  const clientToken = useCallback(async () => {
    const known = await queries.fetchQuery({ ...linkQuery(token), staleTime: 60_000 });
    return known.clientToken ?? '';
  }, [queries, token]);
  return (
    <form
      noValidate
      className={classes['layout']}
      onSubmit={(event) => {
        event.preventDefault();
        onPay();
      }}
    >
      <div className={classes['title']}>
        {shown ? <PageHeading title={t('pay:title')} lead={formatSentences([lead, later], language)} /> : null}
      </div>
      <div className={classes['aside']}>
        <Stub payment={payment} />
      </div>
      <div className={classes['card']}>
        <section aria-labelledby="pay-card">
          <h2 id="pay-card">{t('payments:card.title')}</h2>
          {notice}
          <CardForm ref={card} clientToken={clientToken} help={<SupportLinks chat={false} />} />
        </section>
        {payment.amount === first ? null : (
          <Notice tone="warning" live title={t('pay:price.title', { amount })}>
            {t('pay:price.text')}
          </Notice>
        )}
        <div className={classes['press']}>
          {/* a busy button keeps its focus and its name; pressing it again does nothing */}
          <BusyButton type="submit" size="lg" fullWidth loading={progress !== 'idle'} data-testid="pay">
            {t('pay:button', { amount })}
          </BusyButton>
          <p role="status" className="pg-small pg-muted">
            {progress === 'card' ? t('pay:progress.card') : progress === 'paying' ? t('pay:progress.paying') : null}
          </p>
          <p className="pg-small pg-muted">
            {formatSentences(
              [
                t('pay:once', { amount }),
                t('pay:until', { until: formatDateTime(payment.expiresAt, payment.zone, language, true) }),
              ],
              language,
            )}
          </p>
        </div>
        <Help />
      </div>
    </form>
  );
}

function Working({ payment }: { payment: LinkPayment }) {
  const { t } = useTranslation('pay');
  return (
    <div className={classes['narrow']}>
      <PageHeading title={t('working.title')} lead={t('working.lead')} />
      <Stub payment={payment} />
      <LoadingState rows={2} label={t('working.title')} />
    </div>
  );
}

function Ended({ payment }: { payment: LinkPayment }) {
  const { t } = useTranslation(['pay', 'checkout']);
  return (
    <div className={classes['narrow']}>
      <PageHeading title={t('checkout:booking.cancelled')} lead={t('pay:ended.lead', { id: payment.shortId })} />
      <Help />
    </div>
  );
}

function Paid({ payment, charged }: { payment: LinkPayment; charged: string | null }) {
  const { t } = useTranslation(['pay', 'checkout', 'shell', 'common']);
  const language = useLanguage();
  const session = useSession();
  const later = useLater(payment);
  // the button that was pressed stood below where the thanks begin now
  useEffect(() => {
    if (charged !== null) window.scrollTo(0, 0);
  }, [charged]);
  return (
    <div className={classes['narrow']}>
      <PageHeading
        title={t('checkout:thanksNamed', { name: payment.firstName })}
        lead={formatSentences(
          [
            charged === null
              ? null
              : t('pay:paid.charged', { amount: formatMoney(charged, language, payment.currency) }),
            t(later === null ? 'pay:paid.lead' : 'pay:paid.leadLater', { id: payment.shortId }),
            later,
          ],
          language,
        )}
      />
      <Stub payment={payment} />
      <section aria-labelledby="next" className={classes['section']}>
        <h2 id="next">{t('checkout:next.title')}</h2>
        <ul className={classes['list']}>
          <li>{t('checkout:next.crew')}</li>
          <li>
            {t('pay:paid.day', {
              day: formatCalendarDate(payment.date, language, { dateStyle: 'full' }),
              time: formatWallTime(payment.time, language),
            })}
          </li>
        </ul>
      </section>
      <section aria-labelledby="account" className={classes['section']}>
        <h2 id="account">{t('pay:account.title')}</h2>
        {session.status === 'signedIn' ? (
          <>
            <p>{t('pay:account.signedIn')}</p>
            <div>
              <LinkButton to={myBookings}>{t('shell:page.bookings')}</LinkButton>
            </div>
          </>
        ) : (
          <>
            <p>{t('pay:account.text')}</p>
            <div className={classes['ways']}>
              {/* the way back is named: without it, the address of this page would go along */}
              <Button variant="default" onClick={() => void signIn(myBookings, 'signup')}>
                {t('shell:createAccount')}
              </Button>
              <Button variant="subtle" onClick={() => void signIn(myBookings)}>
                {t('common:action.signIn')}
              </Button>
            </div>
          </>
        )}
      </section>
      <Help />
    </div>
  );
}
