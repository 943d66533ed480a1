import type { ConsentOfLink } from '@portage/api';
import { formatDateTime, formatSentences, useLanguage } from '@portage/i18n';
import { BusyButton, Notice, PageHeading, Reason, useLeadTo } from '@portage/kit';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { consentQuery } from './consent-query.ts';
import { Help, LinkGone, LinkPage } from './link-page.tsx';
import classes from './pay.module.css';
import { type AnswerTrouble, useConsent } from './use-consent.ts';
import { useTheirLanguage } from './use-their-language.ts';

/** A question that the customer answers by the link that was mailed: for whoever holds it, signed in or not. */
export function ConsentPage() {
  const { t } = useTranslation('consent');
  const { token } = useParams({ from: '/site/consent/$token' });
  const query = useQuery(consentQuery(token));
  useTheirLanguage(query.data?.language);
  return (
    <LinkPage query={query} title={t('title')} gone={<LinkGone title={t('gone.title')} lead={t('gone.lead')} />}>
      {(link) => <Question key={token} token={token} link={link} />}
    </LinkPage>
  );
}

/** The exact words, in their own language: they are kept as they stand here. */
function Words({ link }: { link: ConsentOfLink }) {
  const { t } = useTranslation('consent');
  const lines = (link.text ?? '').split('\n');
  return (
    <section
      aria-label={t('words')}
      className={classes['words']}
      lang={link.language === 'zh' ? 'zh-Hans' : `${link.language}-CA`}
      data-testid="consent-text"
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </section>
  );
}

function TroubleOf({ trouble }: { trouble: AnswerTrouble | null }) {
  const { t } = useTranslation(['consent', 'pay']);
  const box = useLeadTo<HTMLDivElement>(trouble);
  if (!trouble) return null;
  return (
    <div ref={box} tabIndex={-1} className={classes['trouble']}>
      {trouble.kind === 'offline' ? (
        <Notice tone="error" live title={t('pay:offline.title')}>
          {t('consent:offline')}
        </Notice>
      ) : trouble.kind === 'silent' ? (
        <Notice tone="warning" live title={t('consent:silent.title')}>
          {t('consent:silent.text')}
        </Notice>
      ) : (
        <Notice tone="error" live title={t('consent:refused')}>
          <Reason failure={trouble.problem} />
        </Notice>
      )}
    </div>
  );
}

function Question({ token, link }: { token: string; link: ConsentOfLink }) {
  const { t } = useTranslation(['consent', 'checkout']);
  const language = useLanguage();
  const { answer, sending, trouble } = useConsent(token);
  const heading = useRef<HTMLDivElement | null>(null);
  const asked = useRef(link.state);
  const when = (instant: string) => formatDateTime(instant, link.zone, language, true);
  // the button that was pressed is gone: whoever pressed it hears what became of it
  useEffect(() => {
    if (asked.current === 'asked' && link.state !== 'asked') {
      window.scrollTo(0, 0);
      heading.current?.focus();
    }
    asked.current = link.state;
  }, [link.state]);
  const recharge = link.kind === 'recharge';
  if (link.state !== 'asked') {
    const lead = {
      agreed: recharge ? t('consent:agreed.recharge') : t('consent:agreed.overtime'),
      refused: recharge && link.releases ? t('consent:refusedRelease') : t('consent:refusedHold'),
      replaced: t('consent:replaced.lead'),
      ended: t('consent:ended.lead'),
    }[link.state];
    const title = {
      agreed: t('checkout:thanksNamed', { name: link.firstName }),
      refused: t('consent:refused.title'),
      replaced: t('consent:replaced.title'),
      ended: t('consent:ended.title'),
    }[link.state];
    return (
      <div className={classes['narrow']}>
        <div ref={heading} tabIndex={-1} data-testid={`consent-${link.state}`}>
          <PageHeading
            title={title}
            lead={formatSentences(
              [lead, link.answeredAt ? t('consent:answered', { when: when(link.answeredAt) }) : null],
              language,
            )}
          />
        </div>
        <TroubleOf trouble={trouble} />
        {link.text ? <Words link={link} /> : null}
        <Help />
      </div>
    );
  }
  const consequence = recharge
    ? link.releases
      ? t('consent:refuse.release')
      : t('consent:refuse.hold')
    : t('consent:refuse.overtime');
  return (
    <div className={classes['narrow']}>
      <PageHeading title={t('consent:title')} lead={t('consent:lead', { name: link.firstName, code: link.shortId })} />
      <Words link={link} />
      <TroubleOf trouble={trouble} />
      <div className={classes['press']}>
        {/* a busy button keeps its focus and its name; pressing it again does nothing */}
        <BusyButton
          size="lg"
          fullWidth
          loading={sending === 'agree'}
          onClick={() => void answer(true)}
          data-testid="agree"
        >
          {t('consent:agree')}
        </BusyButton>
        <BusyButton
          size="lg"
          fullWidth
          variant="default"
          loading={sending === 'refuse'}
          onClick={() => void answer(false)}
          aria-describedby="refuse-means"
          data-testid="refuse"
        >
          {t('consent:refuse')}
        </BusyButton>
        <p id="refuse-means" className="pg-small pg-muted">
          {consequence}
        </p>
        <p className="pg-small pg-muted">{t('consent:until', { until: when(link.expiresAt) })}</p>
      </div>
      <Help />
    </div>
  );
}
