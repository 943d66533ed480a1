import { Button } from '@mantine/core';
import { Glyph, PolicyTimeline } from '@portage/domain';
import { FormProblems, SubmitButton, useFormShell } from '@portage/forms';
import { QueryState } from '@portage/frame';
import { CheckboxField, Notice, PageHeading } from '@portage/kit';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { stepOf } from '../../booking/draft/steps.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { usePaymentPlan } from '../../booking/estimate/payment-plan.ts';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { useGoOn } from '../../booking/wizard/use-go-on.ts';
import { signIn, useSession } from '../../shell/session.ts';
import classes from './guidelines-page.module.css';
import { rulesOf } from './rules.ts';

const path = '/guidelines';

const schema = z.object({
  guidelinesAgreed: z.boolean().check(z.refine((agreed) => agreed, { error: 'guidelines:agree.required' })),
});

/** The rules of this very booking with its dates, five short sentences, and one explicit agreement. */
export function GuidelinesPage() {
  const { t } = useTranslation(['guidelines', 'common', 'domain', 'estimate']);
  const goOn = useGoOn(path);
  const draft = useDraft();
  const session = useSession();
  const { phase, blocking } = useEstimate();
  const plan = usePaymentPlan();
  const [guest, setGuest] = useState(false);
  const payable = phase === 'fresh' && blocking.length === 0;
  const shell = useFormShell({
    schema,
    kept: { values: { guidelinesAgreed: draft.guidelinesAgreed }, keep: draftStore.patch },
    labels: { guidelinesAgreed: t('agree.label') },
    check: 'onSubmit',
    onTaken: goOn,
  });

  return (
    <>
      <PageHeading title={t('title')} lead={t('lead')} step={stepOf(path)} invalid={shell.summary.length > 0} />
      <FormProblems shell={shell} />
      {session.status === 'anonymous' && !guest ? (
        <div className={classes['guest']}>
          <Notice
            action={
              <div className={classes['buttons']}>
                <Button size="sm" onClick={() => void signIn('/guidelines')}>
                  {t('common:action.signIn')}
                </Button>
                <Button
                  size="sm"
                  variant="default"
                  onClick={() => {
                    setGuest(true);
                    // the button is gone, and the focus with it: what can be read as a guest comes next
                    requestAnimationFrame(() => document.getElementById('plan-title')?.focus());
                  }}
                >
                  {t('guidelines:action.guest')}
                </Button>
              </div>
            }
          >
            {t('guest')}
          </Notice>
        </div>
      ) : null}
      <section className={classes['section']} aria-labelledby="plan-title">
        <h2 id="plan-title" tabIndex={-1}>
          {t('plan')}
        </h2>
        <QueryState query={plan} rows={5}>
          {(known) => <PolicyTimeline plan={known} moveAt={draft.startsAt ?? ''} promised={draft.time} />}
        </QueryState>
      </section>
      {plan.data ? (
        <section className={classes['section']} aria-labelledby="rules-title">
          <h2 id="rules-title">{t('rules')}</h2>
          <ul className={classes['rules']}>
            {rulesOf(plan.data).map((rule) => (
              <li key={rule.key}>
                <Glyph name={rule.glyph} size={44} />
                <span>{t(rule.key)}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <div className={classes['agree']}>
        <CheckboxField control={shell.form.control} name="guidelinesAgreed" label={t('agree.label')} />
      </div>
      {payable || phase === 'updating' || phase === 'loading' ? null : (
        <Notice tone="error">{t('estimate:staleLong')}</Notice>
      )}
      <StepActions path={path} goOn={() => void (payable && shell.submit())}>
        <SubmitButton shell={shell} formless size="lg" disabled={!payable}>
          {t('next')}
        </SubmitButton>
      </StepActions>
    </>
  );
}
