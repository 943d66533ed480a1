import { zodResolver } from '@hookform/resolvers/zod';
import { Button, NativeSelect } from '@mantine/core';
import { PriceBreakdown } from '@portage/domain';
import {
  ChoiceField,
  ErrorSummary,
  fieldId,
  LoadingState,
  Notice,
  PageHeading,
  TextAreaField,
  TextField,
  useFieldMessage,
  useSummary,
} from '@portage/kit';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useController, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { type Survey, surveys, surveysToSpecify } from '../../booking/draft/draft.ts';
import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { SaveEdit } from '../../booking/edit/save-edit.tsx';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { ProblemState } from '../../booking/estimate/problem-state.tsx';
import { useTip } from '../../booking/estimate/header-estimate.tsx';
import { usePaymentPlan } from '../../booking/estimate/payment-plan.ts';
import { CrewWarnings } from '../../booking/estimate/crew-warnings.tsx';
import { useEnsureHold } from '../../booking/hold/use-hold.ts';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { Answers } from './answers.tsx';
import { DiscountForm } from './discount-form.tsx';
import { extrasFromDraft, extrasSchema, type ExtrasValues } from './extras-form.ts';
import classes from './quote-page.module.css';

/** Suggested shares of the price before tax; none is chosen beforehand. */
const tipShares = ['10', '15', '20'];

export function QuotePage() {
  const { t } = useTranslation(['quote', 'common', 'domain', 'estimate']);
  const navigate = useNavigate();
  const draft = useDraft();
  const { phase, estimate, problem, routeProblem, blocking, retry } = useEstimate();
  const tip = useTip();
  const plan = usePaymentPlan();
  const [attempt, setAttempt] = useState(0);
  const editing = draft.editing !== null;
  const { gone } = useEnsureHold(!editing && phase === 'fresh');

  const form = useForm<ExtrasValues>({
    resolver: zodResolver(extrasSchema),
    defaultValues: extrasFromDraft(draft),
    mode: 'onTouched',
  });
  const { watch, control, setValue } = form;
  useEffect(() => {
    const watching = watch((values) => draftStore.patch(values as ExtrasValues));
    return () => watching.unsubscribe();
  }, [watch]);
  const tipType = useWatch({ control, name: 'tipType' });
  const tipValue = useWatch({ control, name: 'tipValue' });
  const { field: survey, fieldState: surveyState } = useController({ control, name: 'survey' });
  const message = useFieldMessage();

  // somebody else has the start now: everything is kept, only the time is asked again
  useEffect(() => {
    if (gone) void navigate({ to: '/schedule' });
  }, [gone, navigate]);

  const formErrors = useSummary(form.formState.errors, {
    tipValue: t('domain:tip.title'),
    comments: t('comments.label'),
    surveySpecify: t('survey.specifyLabel'),
  });
  const summary = [...formErrors, ...(phase === 'fresh' ? [] : [{ text: t('price.wait') }])];
  const payable = phase === 'fresh' && blocking.length === 0;
  const submit = form.handleSubmit(
    () => {
      if (payable) void navigate({ to: '/guidelines' });
      else setAttempt((now) => now + 1);
    },
    () => setAttempt((now) => now + 1),
  );
  const refused = attempt > 0 && (formErrors.length > 0 || !payable);

  return (
    <>
      <PageHeading title={t('title')} lead={t('lead')} step={{ n: 4, of: 6 }} invalid={refused} />
      {refused && summary.length > 0 ? <ErrorSummary items={summary} attempt={attempt} /> : null}
      <Answers />
      <div className={classes['sections']}>
        <DiscountForm />
        <form id="quote-form" onSubmit={submit} noValidate className={classes['sections']}>
          <section className={classes['section']} aria-labelledby="tip-title">
            <h2 id="tip-title">{t('domain:tip.title')}</h2>
            <p className="pg-small pg-muted">{t('tip.help')}</p>
            <div className={classes['shares']} role="group" aria-label={t('tip.suggestions')}>
              <Button
                variant="default"
                size="sm"
                aria-pressed={tipValue.trim() === ''}
                onClick={() => setValue('tipValue', '', { shouldValidate: true })}
              >
                {t('domain:tip.none')}
              </Button>
              {tipShares.map((share) => (
                <Button
                  key={share}
                  variant="default"
                  size="sm"
                  aria-pressed={tipType === 'percent' && tipValue === share}
                  onClick={() => {
                    setValue('tipType', 'percent');
                    setValue('tipValue', share, { shouldValidate: true });
                  }}
                >
                  {t('tip.share', { share })}
                </Button>
              ))}
            </div>
            <ChoiceField
              control={control}
              name="tipType"
              label={t('domain:tip.how')}
              columns="row"
              choices={[
                { value: 'amount', label: t('domain:tip.amount') },
                { value: 'percent', label: t('domain:tip.percent') },
              ]}
            />
            <TextField
              control={control}
              name="tipValue"
              label={tipType === 'percent' ? t('tip.percentValue') : t('tip.amountValue')}
              inputMode="decimal"
              autoComplete="off"
              optional
              maw={280}
              rightSection={<span aria-hidden>{tipType === 'percent' ? '%' : '$'}</span>}
            />
          </section>
          <section className={classes['section']}>
            <TextAreaField
              control={control}
              name="comments"
              label={t('comments.label')}
              optional
              autosize
              minRows={2}
              maxRows={8}
            />
            {editing ? null : (
              <>
                <NativeSelect
                  id={fieldId('survey')}
                  label={t('common:form.optional', { label: t('survey.label') })}
                  value={survey.value ?? ''}
                  error={message(surveyState.error?.message, t('survey.label'))}
                  onBlur={survey.onBlur}
                  onChange={(event) => survey.onChange((event.currentTarget.value || null) as Survey | null)}
                  data={[
                    { value: '', label: t('survey.choose') },
                    ...surveys.map((value) => ({ value, label: t(`survey.${value}`) })),
                  ]}
                />
                {survey.value && surveysToSpecify.includes(survey.value) ? (
                  <TextField control={control} name="surveySpecify" label={t('survey.specifyLabel')} />
                ) : null}
              </>
            )}
          </section>
        </form>
        <section className={classes['section']} aria-labelledby="price-title">
          <h2 id="price-title">{t('domain:price.title')}</h2>
          {estimate ? (
            <div className={classes['price']} data-phase={phase}>
              <PriceBreakdown price={estimate} tip={tip} />
            </div>
          ) : phase === 'failed' ? null : (
            <LoadingState rows={5} />
          )}
          {phase === 'stale' || phase === 'failed' ? (
            <ProblemState
              problem={problem ?? routeProblem}
              title={phase === 'stale' ? t('estimate:staleLong') : t('estimate:failed')}
              onRetry={retry}
            />
          ) : null}
          <CrewWarnings warnings={blocking} />
          {plan.data ? (
            <Notice>
              {plan.data.mode === 'full_at_once' ? (
                t('domain:rule.fullAtOnce')
              ) : plan.data.mode === 'merged' ? (
                t('domain:rule.merged')
              ) : (
                <>
                  {t('domain:rule.deposit')} {t('payment.balance')}
                </>
              )}
            </Notice>
          ) : null}
        </section>
      </div>
      <StepActions back="/schedule">
        {editing ? (
          <SaveEdit disabled={!payable} />
        ) : (
          <Button type="submit" form="quote-form" size="lg" loading={phase === 'updating'}>
            {t('next')}
          </Button>
        )}
      </StepActions>
    </>
  );
}
