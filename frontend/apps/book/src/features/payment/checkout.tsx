import { Button } from '@mantine/core';
import { addMoney, StartTime, useDurationText } from '@portage/domain';
import { LinkButton, profileQuery, QueryState } from '@portage/frame';
import { formatList, formatMoney, useLanguage } from '@portage/i18n';
import { ErrorState, LoadingState, Money, Notice, PageHeading } from '@portage/kit';
import type { CardHandle } from '@portage/payments';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../../booking/draft/draft-store.ts';
import { stepOf } from '../../booking/draft/steps.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { useTypedTip } from '../../booking/estimate/tip.ts';
import { usePaymentPlan } from '../../booking/estimate/payment-plan.ts';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { CardForm } from '../../shell/card-form.tsx';
import { HoldLine } from './hold-line.tsx';
import { Mandate } from './mandate.tsx';
import { OutcomeNotice } from './outcome-notice.tsx';
import classes from './payment.module.css';
import { StoredCardChoice } from './stored-card-choice.tsx';
import { Unanswered } from './unanswered.tsx';
import { usePayment } from './use-payment.ts';

const path = '/payment';

/** The card first; then, beside each other, when it will be charged and the total with the one button that books. */
export function Checkout() {
  const { t } = useTranslation(['payment', 'domain', 'estimate', 'payments', 'wizard']);
  const language = useLanguage();
  const draft = useDraft();
  const { estimate, phase, blocking, problem, routeProblem, retry } = useEstimate();
  const typedTip = useTypedTip();
  const tip = typedTip ?? '0.00';
  const profile = useQuery(profileQuery);
  const card = useRef<CardHandle | null>(null);
  const [another, setAnother] = useState(false);

  const stored = profile.data?.wallet.card ?? null;
  const payWithStored = stored !== null && !another;
  const payment = usePayment({ profile: profile.data, card, payWithStored, estimated: estimate?.total ?? '' });
  const plan = usePaymentPlan(payment.total);

  if (payment.outcome.booking === 'success') return <LoadingState />;
  if (payment.unanswered)
    return <Unanswered pay={payment.pay} progress={payment.progress} problem={payment.outcome.problem} />;

  const priced = phase === 'fresh' && blocking.length === 0 && estimate !== null && typedTip !== null;
  const busy = payment.progress !== 'idle';
  const atOnce = plan.data?.mode === 'full_at_once';
  const label = atOnce ? t('payment:pay', { amount: formatMoney(payment.total, language) }) : t('payment:book');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (priced && profile.data) void payment.pay();
      }}
    >
      <PageHeading
        title={t('payment:title')}
        step={stepOf(path)}
        lead={t('payment:lead')}
        invalid={payment.outcome.problem !== null}
      />
      <HoldLine />
      <section className={classes['section']} aria-labelledby="payment-card">
        <h2 id="payment-card">{t('payments:card.title')}</h2>
        <OutcomeNotice outcome={payment.outcome} total={payment.total} at="card" />
        <QueryState query={profile} rows={3} height={44}>
          {() => (
            <>
              {stored ? <StoredCardChoice card={stored} another={another} onChange={setAnother} /> : null}
              {payWithStored ? null : <CardForm ref={card} />}
            </>
          )}
        </QueryState>
      </section>
      <div className={classes['end']}>
        <section aria-labelledby="payment-dates">
          <h2 id="payment-dates">{t('payment:mandate.title')}</h2>
          <QueryState query={plan}>
            {(known) => <Mandate plan={known} moveAt={draft.startsAt ?? ''} promised={draft.time} tip={tip} />}
          </QueryState>
        </section>
        <section aria-labelledby="payment-order" className={classes['pay']}>
          <h2 id="payment-order">{t('payment:order.title')}</h2>
          {payment.total === '' ? <LoadingState rows={3} /> : <OrderLines total={payment.total} tip={tip} />}
          {typedTip === null ? (
            <Notice
              tone="error"
              action={
                <LinkButton variant="default" to="/quote">
                  {t('wizard:step.quote')}
                </LinkButton>
              }
            >
              {t(draft.tipType === 'percent' ? 'domain:tip.invalidPercent' : 'domain:tip.invalid')}
            </Notice>
          ) : priced ? null : phase === 'stale' || phase === 'failed' ? (
            <ErrorState
              failure={problem ?? routeProblem ?? { status: 0, detail: '', requestId: null }}
              title={t('estimate:staleLong')}
              onRetry={retry}
            />
          ) : blocking.length > 0 ? (
            <Notice tone="error">{t('payment:blocked')}</Notice>
          ) : null}
          <OutcomeNotice outcome={payment.outcome} total={payment.total} at="button" />
          {plan.data ? (
            <p className="pg-small">
              {atOnce
                ? t('payment:agree.atOnce', { amount: formatMoney(payment.total, language) })
                : t('payment:agree.later')}
            </p>
          ) : null}
          <StepActions path={path}>
            {/* a busy button keeps its focus and its name; pressing it again does nothing */}
            <Button
              type="submit"
              size="lg"
              loading={busy}
              disabled={!priced || !profile.data || !plan.data}
              data-testid="pay"
            >
              {label}
            </Button>
          </StepActions>
          <p role="status" className="pg-small pg-muted">
            {payment.progress === 'card'
              ? t('payment:progress.card')
              : payment.progress === 'booking'
                ? t('payment:progress.booking')
                : payment.progress === 'working'
                  ? t('payment:progress.working')
                  : null}
          </p>
          <p className="pg-small pg-muted">{t('payment:secure')}</p>
        </section>
      </div>
    </form>
  );
}

/** What is paid; what was chosen stands in the summary, where the window has room for one. */
function OrderLines({ total, tip }: { total: string; tip: string }) {
  const { t } = useTranslation(['payment', 'domain']);
  const draft = useDraft();
  const language = useLanguage();
  const duration = useDurationText();
  const { estimate } = useEstimate();
  const withTip = tip !== '0.00';
  return (
    <dl className={classes['order']}>
      <div>
        <dt>{t('domain:price.totalWithTaxes')}</dt>
        <dd className={classes['total']} data-testid="total">
          <Money value={total} />
        </dd>
      </div>
      {withTip ? (
        <>
          <div>
            <dt>{t('domain:line.tip')}</dt>
            <dd>
              <Money value={tip} />
            </dd>
          </div>
          <div>
            <dt>{t('domain:price.totalWithTip')}</dt>
            <dd>
              <Money value={addMoney(total, tip)} />
            </dd>
          </div>
        </>
      ) : null}
      {draft.date && draft.time && draft.startsAt && draft.zone ? (
        <div className={classes['known']}>
          <dt>{t('payment:order.when')}</dt>
          <dd>
            <StartTime date={draft.date} time={draft.time} startsAt={draft.startsAt} />
          </dd>
        </div>
      ) : null}
      <div className={classes['known']}>
        <dt>{t('payment:order.what')}</dt>
        <dd>
          {formatList(
            [
              t(`domain:moveKind.${draft.bookingType}`),
              t('domain:count.mates', { count: draft.mateCount }),
              ...(estimate ? [duration(estimate.duration)] : []),
            ],
            language,
          )}
        </dd>
      </div>
    </dl>
  );
}
