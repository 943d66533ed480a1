import { addMoney, StartTime, useDurationText } from '@portage/domain';
import { LinkButton, profileQuery, QueryState } from '@portage/frame';
import { formatList, formatMoney, useLanguage } from '@portage/i18n';
import { BusyButton, ErrorState, LoadingState, Money, Notice, PageHeading } from '@portage/kit';
import type { CardHandle } from '@portage/payments';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Draft } from '../../booking/draft/draft.ts';
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

/** What the page shows of the move that is paid for. */
interface Shown {
  draft: Draft;
  duration: number | null;
  total: string;
  tip: string;
  plan: ReturnType<typeof usePaymentPlan>;
}

/** The card first; then, beside each other, when it will be charged and the total with the one button that books. */
export function Checkout({ onLeaving }: { onLeaving: (leaving: boolean) => void }) {
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
  const estimated = estimate?.total ?? '';
  const payment = usePayment({ profile: profile.data, card, payWithStored, estimated, onLeaving });
  const plan = usePaymentPlan(payment.total);
  // once it is booked the draft is empty, and what was paid for stays here until the confirmation comes
  const leaving = payment.outcome.booking === 'success';
  const [pressed, setPressed] = useState<Shown | null>(null);
  const current = { draft, duration: estimate?.duration ?? null, total: payment.total, tip, plan };
  const shown = (leaving ? pressed : null) ?? current;

  if (payment.unanswered)
    return <Unanswered pay={payment.pay} progress={payment.progress} problem={payment.outcome.problem} />;

  const priced = phase === 'fresh' && blocking.length === 0 && estimate !== null && typedTip !== null;
  const busy = leaving || payment.progress !== 'idle';
  const atOnce = shown.plan.data?.mode === 'full_at_once';
  const label = atOnce ? t('payment:pay', { amount: formatMoney(shown.total, language) }) : t('payment:book');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (busy || !priced || !profile.data) return;
        // Enter in a field presses the button, too; the fields go as soon as the card is stored
        const { submitter } = event.nativeEvent as SubmitEvent;
        submitter?.focus({ preventScroll: true });
        setPressed(current);
        void payment.pay();
      }}
    >
      <PageHeading
        title={t('payment:title')}
        step={stepOf(path)}
        lead={t('payment:lead')}
        invalid={payment.outcome.problem !== null}
      />
      {leaving ? null : <HoldLine />}
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
          <QueryState query={shown.plan}>
            {(known) => (
              <Mandate plan={known} moveAt={shown.draft.startsAt ?? ''} promised={shown.draft.time} tip={shown.tip} />
            )}
          </QueryState>
        </section>
        <section aria-labelledby="payment-order" className={classes['pay']}>
          <h2 id="payment-order">{t('payment:order.title')}</h2>
          {shown.total === '' ? <LoadingState rows={3} /> : <OrderLines shown={shown} />}
          {leaving ? null : typedTip === null ? (
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
          {shown.plan.data ? (
            <p className="pg-small">
              {atOnce
                ? t('payment:agree.atOnce', { amount: formatMoney(shown.total, language) })
                : t('payment:agree.later')}
            </p>
          ) : null}
          <StepActions path={path}>
            <BusyButton
              type="submit"
              size="lg"
              loading={busy}
              disabled={!priced || !profile.data || !plan.data}
              data-testid="pay"
            >
              {label}
            </BusyButton>
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
function OrderLines({ shown: { draft, duration: minutes, total, tip } }: { shown: Shown }) {
  const { t } = useTranslation(['payment', 'domain']);
  const language = useLanguage();
  const duration = useDurationText();
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
              ...(minutes === null ? [] : [duration(minutes)]),
            ],
            language,
          )}
        </dd>
      </div>
    </dl>
  );
}
