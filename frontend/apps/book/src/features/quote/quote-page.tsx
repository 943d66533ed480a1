import { chargeTerms, montrealZone, PriceBreakdown, useTermText } from '@portage/domain';
import { FormProblems, SubmitButton, useFormShell } from '@portage/forms';
import { LoadingState, Notice, PageHeading } from '@portage/kit';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { formatDateTime, formatSentences, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { stepOf } from '../../booking/draft/steps.ts';
import { SaveEdit } from '../../booking/edit/save-edit.tsx';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { ProblemState } from '../../booking/estimate/problem-state.tsx';
import { useTipInSum } from '../../booking/estimate/tip.ts';
import { usePaymentPlan } from '../../booking/estimate/payment-plan.ts';
import { CrewWarnings, useWarningText } from '../../booking/estimate/crew-warnings.tsx';
import { useEnsureHold } from '../../booking/hold/use-hold.ts';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { TooFar } from '../../booking/wizard/too-far.tsx';
import { useGoOn } from '../../booking/wizard/use-go-on.ts';
import { Answers } from './answers.tsx';
import { DiscountForm } from './discount-form.tsx';
import { MailQuote } from './mail-quote.tsx';
import { Extras } from './extras.tsx';
import { extrasFromDraft, extrasSchema } from './extras-form.ts';
import { PriceHints } from './price-hints.tsx';
import classes from './quote-page.module.css';

const path = '/quote';

const formId = 'quote-form';

/** What was answered, code, tip and comments, and the price of it all. */
export function QuotePage() {
  const { t } = useTranslation(['quote', 'domain', 'edit', 'estimate', 'wizard']);
  const language = useLanguage();
  const warningText = useWarningText();
  const termText = useTermText();
  const navigate = useNavigate();
  const goOn = useGoOn(path);
  const draft = useDraft();
  const { phase, estimate, problem, routeProblem, blocking, refused, retry } = useEstimate();
  const tip = useTipInSum();
  const plan = usePaymentPlan();
  const editing = draft.editing !== null;
  const { gone } = useEnsureHold(!editing && phase === 'fresh');

  // somebody else has the start now: everything is kept, only the time is asked again
  useEffect(() => {
    if (gone) void navigate({ to: '/schedule' });
  }, [gone, navigate]);

  const payable = phase === 'fresh' && blocking.length === 0;
  const shell = useFormShell({
    schema: extrasSchema,
    kept: { values: extrasFromDraft(draft), keep: draftStore.patch },
    labels: {
      tipValue: t('domain:tip.title'),
      comments: t('edit:field.comments'),
      survey: t('survey.label'),
      surveySpecify: t('survey.specifyLabel'),
    },
    obstacles:
      phase === 'fresh'
        ? blocking.map((warning) => ({ key: warning.code, text: warningText(warning) }))
        : [{ key: 'price', text: refused === 'distance' ? t('wizard:way.tooFar') : t('price.wait') }],
    onTaken: goOn,
  });

  return (
    <>
      <PageHeading title={t('title')} lead={t('lead')} step={stepOf(path)} invalid={shell.summary.length > 0} />
      <FormProblems shell={shell} />
      <Answers />
      <div className={classes['sections']}>
        <DiscountForm />
        <Extras id={formId} shell={shell} editing={editing} />
        <section className={classes['section']} aria-labelledby="price-title">
          <h2 id="price-title">{t('domain:price.title')}</h2>
          {estimate ? (
            <div className={classes['price']} data-phase={phase}>
              <PriceBreakdown price={estimate} tip={tip} />
              <KeptPrice />
              <PriceHints hints={estimate.hints} currency={estimate.currency} />
            </div>
          ) : phase === 'failed' || refused !== null ? null : (
            <LoadingState rows={5} />
          )}
          {phase === 'stale' || phase === 'failed' ? (
            <ProblemState
              problem={problem ?? routeProblem}
              title={phase === 'stale' ? t('estimate:staleLong') : t('estimate:failed')}
              onRetry={retry}
            />
          ) : null}
          <TooFar />
          <CrewWarnings warnings={blocking} />
          {plan.data ? (
            <Notice>
              {formatSentences(
                chargeTerms(plan.data.terms).map((term) => termText(term, plan.data.policy)),
                language,
              )}
            </Notice>
          ) : null}
        </section>
        {editing || blocking.length > 0 || refused !== null ? null : <MailQuote />}
      </div>
      <StepActions path={path} goOn={() => void shell.submit()}>
        {editing ? (
          <SaveEdit disabled={!payable} />
        ) : (
          <SubmitButton shell={shell} form={formId} size="lg" loading={phase === 'updating'}>
            {t('next')}
          </SubmitButton>
        )}
      </StepActions>
    </>
  );
}

/** Whose price it is, when the draft was taken up from a mailed quote. */
function KeptPrice() {
  const { t } = useTranslation('quote');
  const language = useLanguage();
  const { savedQuote, zone } = useDraft();
  const { phase, estimate } = useEstimate();
  if (savedQuote === null || phase !== 'fresh' || !estimate) return null;
  return (
    <p className={classes['kept']} data-testid="kept-price" data-holds={estimate.keptUntil !== undefined}>
      {estimate.keptUntil
        ? t('kept.until', { until: formatDateTime(estimate.keptUntil, zone ?? montrealZone, language, true) })
        : t('kept.not')}
    </p>
  );
}
