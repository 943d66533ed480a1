import { Button } from '@mantine/core';
import type { PaymentPlan } from '@portage/api';
import { useTermText } from '@portage/domain';
import { Glyph } from '@portage/domain/glyphs';
import { FormProblems, SubmitButton, useFormShell } from '@portage/forms';
import { QueryState } from '@portage/frame';
import { formatDateTime, formatMoney, useLanguage } from '@portage/i18n';
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
import { type RuleDate, rulesOf } from './rules.ts';

const path = '/guidelines';

const schema = z.object({
  guidelinesAgreed: z.boolean().check(z.refine((agreed) => agreed, { error: 'guidelines:agree.required' })),
});

/** The rules of this very booking, each with its date, and one explicit agreement; the timeline itself stands beside the button that pays. */
export function GuidelinesPage() {
  const { t } = useTranslation(['guidelines', 'common', 'domain', 'estimate', 'shell']);
  const goOn = useGoOn(path);
  const draft = useDraft();
  const session = useSession();
  const { phase, blocking } = useEstimate();
  const plan = usePaymentPlan();
  const [guest, setGuest] = useState(false);
  const payable = phase === 'fresh' && blocking.length === 0;
  const version = plan.data?.policy.version;
  // nobody agrees to rules that are not there
  const readable = payable && version !== undefined;
  const changed = version !== undefined && draft.agreedPolicy !== null && draft.agreedPolicy !== version;
  const shell = useFormShell({
    schema,
    kept: {
      // what was agreed to were other rules
      values: { guidelinesAgreed: draft.guidelinesAgreed && !changed },
      keep: ({ guidelinesAgreed }) =>
        draftStore.patch(guidelinesAgreed ? { guidelinesAgreed, agreedPolicy: version ?? null } : { guidelinesAgreed }),
    },
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
                <Button size="sm" variant="default" onClick={() => void signIn('/guidelines', 'signup')}>
                  {t('shell:createAccount')}
                </Button>
                <Button
                  size="sm"
                  variant="subtle"
                  color="spruce"
                  onClick={() => {
                    setGuest(true);
                    // the button is gone, and the focus with it: what can be read as a guest comes next
                    requestAnimationFrame(() => document.getElementById('rules-title')?.focus());
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
      {changed ? (
        <Notice tone="warning" live>
          {t('changed')}
        </Notice>
      ) : null}
      <section className={classes['section']} aria-labelledby="rules-title">
        <h2 id="rules-title" tabIndex={-1}>
          {t('rules')}
        </h2>
        <QueryState query={plan} rows={5}>
          {(known) => <Rules plan={known} />}
        </QueryState>
      </section>
      <div className={classes['agree']}>
        <CheckboxField control={shell.form.control} name="guidelinesAgreed" label={t('agree.label')} />
      </div>
      {payable || phase === 'updating' || phase === 'loading' ? null : (
        <Notice tone="error">{t('estimate:staleLong')}</Notice>
      )}
      <StepActions path={path} goOn={() => void (readable && shell.submit())}>
        <SubmitButton shell={shell} formless size="lg" disabled={!readable}>
          {t('next')}
        </SubmitButton>
      </StepActions>
    </>
  );
}

/** Short sentences, each with what it means for this booking. */
function Rules({ plan }: { plan: PaymentPlan }) {
  const { t } = useTranslation('guidelines');
  const termText = useTermText();
  const language = useLanguage();
  const when = (at: string) => formatDateTime(at, plan.zone, language);
  const text = (date: RuleDate) =>
    date.kind === 'until'
      ? t('date.until', { when: when(date.at) })
      : t(date.kind === 'due' ? 'date.due' : 'date.from', {
          when: when(date.at),
          amount: formatMoney(date.amount, language),
        });
  return (
    <ul className={classes['rules']}>
      {rulesOf(plan).map((rule) => (
        <li key={rule.term}>
          <Glyph name={rule.glyph} size={44} />
          <div>
            <span>{termText(rule.term, plan.policy)}</span>
            {rule.date ? <span className={classes['date']}>{text(rule.date)}</span> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
