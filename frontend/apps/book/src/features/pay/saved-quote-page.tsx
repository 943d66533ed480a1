import { Button } from '@mantine/core';
import type { QuoteOfLink } from '@portage/api';
import { cityName, montrealZone } from '@portage/domain';
import {
  formatCalendarDate,
  formatDateTime,
  formatDayAndClock,
  formatWallTime,
  useLanguage,
  zoneName,
} from '@portage/i18n';
import { Money, PageHeading } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraftValue } from '../../booking/draft/draft-store.ts';
import { type Draft, inProgress } from '../../booking/draft/draft.ts';
import { revive } from '../../booking/draft/stored-draft.ts';
import { Help, LinkGone, LinkPage } from './link-page.tsx';
import classes from './pay.module.css';
import { quoteOfLinkQuery } from './quote-of-link-query.ts';
import { useTheirLanguage } from './use-their-language.ts';

/** A mailed quote, for whoever holds its link, signed in or not. */
export function SavedQuotePage() {
  const { t } = useTranslation('savedQuote');
  const { token } = useParams({ from: '/site/saved/$token' });
  const query = useQuery(quoteOfLinkQuery(token));
  useTheirLanguage(query.data?.language);
  return (
    <LinkPage query={query} title={t('title')} gone={<Gone />}>
      {(quote) => {
        // what an older version of this app kept may be more than this one can read
        const draft = revive(quote.draft)?.draft;
        return draft ? <Quote key={token} token={token} quote={quote} draft={draft} /> : <Gone />;
      }}
    </LinkPage>
  );
}

function Gone() {
  const { t } = useTranslation('savedQuote');
  return <LinkGone title={t('gone.title')} lead={t('gone.lead')} />;
}

function Quote({ token, quote, draft }: { token: string; quote: QuoteOfLink; draft: Draft }) {
  const { t } = useTranslation(['savedQuote', 'domain', 'pay']);
  const language = useLanguage();
  const navigate = useNavigate();
  const replaces = useDraftValue((kept) => inProgress(kept) && kept.savedQuote !== token);
  const { date, time, zone, total, currency } = quote;
  const open = quote.state === 'open';
  const [from, to] = [cityName(quote.from, language), cityName(quote.to, language)];
  const there = zone === montrealZone ? null : zoneName(zone, language);
  const until = formatDateTime(quote.validUntil, zone, language, true);
  const takeUp = () => {
    // a booking that is being changed, and the draft that waits for its end, make way as well
    draftStore.forget();
    draftStore.reset({ ...draft, savedQuote: open ? token : null });
    void navigate({ to: '/quote' });
  };
  return (
    <div className={classes['narrow']}>
      <div data-testid={`quote-${quote.state}`}>
        <PageHeading
          title={open ? t('savedQuote:title') : t('savedQuote:lapsed.title')}
          lead={open ? t('savedQuote:lead', { until }) : t('savedQuote:lapsed.lead', { until })}
        />
      </div>
      <section className={classes['stub']} aria-label={t('savedQuote:what')}>
        <div className={classes['move']}>
          <ol className={classes['way']} aria-label={t('domain:route', { pickup: from, dropoff: to })}>
            <li className={classes['end']}>{from}</li>
            <li className={classes['end']}>{to}</li>
          </ol>
          <p>
            <time dateTime={`${date}T${time}`}>
              {formatDayAndClock(
                formatCalendarDate(date, language, { dateStyle: 'full' }),
                formatWallTime(time, language),
                language,
              )}
            </time>
            {there ? <span className={classes['more']}>{t('pay:stub.there', { zone: there })}</span> : null}
          </p>
        </div>
        <dl className={classes['sum']}>
          <dt>{open ? t('domain:price.totalWithTaxes') : t('savedQuote:lapsed.total')}</dt>
          <dd>
            <span className={classes['amount']} data-testid="total">
              <Money value={total} currency={currency} />
            </span>
          </dd>
        </dl>
      </section>
      <div className={classes['press']}>
        <Button
          size="lg"
          fullWidth
          onClick={takeUp}
          {...(replaces ? { 'aria-describedby': 'takes-place' } : {})}
          data-testid="take-up"
        >
          {open ? t('savedQuote:go') : t('savedQuote:lapsed.go')}
        </Button>
        {replaces ? (
          <p id="takes-place" className="pg-small pg-muted">
            {t('savedQuote:replaces')}
          </p>
        ) : null}
        <p className="pg-small pg-muted">{t('savedQuote:noTime')}</p>
      </div>
      <Help />
    </div>
  );
}
