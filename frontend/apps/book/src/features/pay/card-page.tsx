import type { CardLink } from '@portage/api';
import { centsOf, cityName } from '@portage/domain';
import {
  formatCalendarDate,
  formatDateTime,
  formatDayAndClock,
  formatMoney,
  formatSentences,
  formatWallTime,
  useLanguage,
} from '@portage/i18n';
import { BusyButton, LoadingState, Notice, PageHeading } from '@portage/kit';
import type { CardHandle } from '@portage/payments';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { CardForm } from '../../shell/card-form.tsx';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { cardLinkQuery } from './card-link-query.ts';
import { Help, LinkGone, LinkPage } from './link-page.tsx';
import classes from './pay.module.css';
import { TroubleNotice } from './trouble-notice.tsx';
import { useCardLink } from './use-card-link.ts';
import { useTheirLanguage } from './use-their-language.ts';

/** Another card for a booking, by the link that was mailed: for whoever holds it, signed in or not. */
export function CardPage() {
  const { t } = useTranslation('cardLink');
  const { token } = useParams({ from: '/site/card/$token' });
  const query = useQuery(cardLinkQuery(token));
  useTheirLanguage(query.data?.language);
  return (
    <LinkPage query={query} title={t('title')} gone={<LinkGone title={t('gone.title')} lead={t('gone.lead')} />}>
      {(link) => <Link key={token} token={token} link={link} />}
    </LinkPage>
  );
}

/** Which move it is about, in a line. */
function About({ link }: { link: CardLink }) {
  const { t } = useTranslation('cardLink');
  const language = useLanguage();
  const day = formatCalendarDate(link.date, language, { dateStyle: 'full' });
  return (
    <p>
      {t('about', {
        id: link.shortId,
        from: cityName(link.from, language),
        to: cityName(link.to, language),
        when: formatDayAndClock(day, formatWallTime(link.time, language), language),
      })}
    </p>
  );
}

function Link({ token, link }: { token: string; link: CardLink }) {
  const { t } = useTranslation(['cardLink', 'checkout', 'payments', 'pay']);
  const language = useLanguage();
  const queries = useQueryClient();
  const card = useRef<CardHandle | null>(null);
  const { store, progress, trouble, charged } = useCardLink(token, card);
  // fields that are made again later need a fresh token
  const clientToken = useCallback(async () => {
    const known = await queries.fetchQuery({ ...cardLinkQuery(token), staleTime: 60_000 });
    return known.clientToken ?? '';
  }, [queries, token]);
  const state = progress === 'idle' ? link.state : 'open';
  // the button that was pressed stood below where the thanks begin now
  useEffect(() => {
    if (state === 'done') window.scrollTo(0, 0);
  }, [state]);
  const money = (value: string) => formatMoney(value, language, link.currency);
  const charges = centsOf(link.amount) > 0;
  if (state === 'done')
    return (
      <div className={classes['narrow']}>
        <PageHeading
          title={t('checkout:thanksNamed', { name: link.firstName })}
          lead={formatSentences(
            [
              charged !== null && centsOf(charged) > 0 ? t('cardLink:done.charged', { amount: money(charged) }) : null,
              t('cardLink:done.lead'),
            ],
            language,
          )}
        />
        <About link={link} />
        <Help />
      </div>
    );
  if (state === 'ended')
    return (
      <div className={classes['narrow']}>
        <PageHeading title={t('checkout:booking.cancelled')} lead={t('pay:ended.lead', { id: link.shortId })} />
        <Help />
      </div>
    );
  return (
    <>
      {state === 'working' ? (
        <div className={classes['narrow']}>
          <PageHeading title={t('pay:working.title')} lead={t('pay:working.lead')} />
          <LoadingState rows={2} label={t('pay:working.title')} />
        </div>
      ) : null}
      {/* as long as the fields of the card may still be needed they stay: what was typed is not lost */}
      <form
        noValidate
        hidden={state === 'working'}
        className={classes['narrow']}
        onSubmit={(event) => {
          event.preventDefault();
          void store(link);
        }}
      >
        {state === 'open' ? (
          <PageHeading
            title={t('cardLink:title')}
            lead={
              charges
                ? t('cardLink:lead.declined', { name: link.firstName, amount: money(link.amount) })
                : t('cardLink:lead', { name: link.firstName })
            }
          />
        ) : null}
        <About link={link} />
        <section aria-labelledby="other-card">
          <h2 id="other-card">{t('payments:card.title')}</h2>
          <TroubleNotice trouble={trouble} />
          <CardForm ref={card} clientToken={clientToken} help={<SupportLinks chat={false} />} />
        </section>
        <div className={classes['press']}>
          {/* a busy button keeps its focus and its name; pressing it again does nothing */}
          <BusyButton type="submit" size="lg" fullWidth loading={progress !== 'idle'} data-testid="store-card">
            {charges ? t('cardLink:button.charge', { amount: money(link.amount) }) : t('cardLink:button')}
          </BusyButton>
          <p role="status" className="pg-small pg-muted">
            {progress === 'card' ? t('pay:progress.card') : progress === 'paying' ? t('pay:progress.paying') : null}
          </p>
          <p className="pg-small pg-muted">
            {formatSentences(
              [
                charges ? t('cardLink:later.charge', { amount: money(link.amount) }) : t('cardLink:later'),
                t('pay:until', { until: formatDateTime(link.expiresAt, link.zone, language, true) }),
              ],
              language,
            )}
          </p>
        </div>
        {charges ? null : <Notice tone="info">{t('cardLink:nothingNow')}</Notice>}
        <Help />
      </form>
    </>
  );
}
