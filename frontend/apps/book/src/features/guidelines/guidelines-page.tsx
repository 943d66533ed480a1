import { Button, Checkbox } from '@mantine/core';
import { asProblem } from '@portage/api';
import { Glyph, PolicyTimeline } from '@portage/domain';
import { ErrorState, ErrorSummary, LoadingState, Notice, PageHeading } from '@portage/kit';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { usePaymentPlan } from '../../booking/estimate/payment-plan.ts';
import { StepActions } from '../../booking/wizard/step-actions.tsx';
import { signIn, useSession } from '../../shell/session.ts';
import classes from './guidelines-page.module.css';
import { rulesOf } from './rules.ts';

const agreeId = 'guidelines-agree';

/** The rules of this very booking with its dates, five short sentences, and one explicit agreement. */
export function GuidelinesPage() {
  const { t } = useTranslation(['guidelines', 'common', 'domain', 'estimate']);
  const navigate = useNavigate();
  const draft = useDraft();
  const session = useSession();
  const { phase, blocking } = useEstimate();
  const plan = usePaymentPlan();
  const [guest, setGuest] = useState(false);
  const [attempt, setAttempt] = useState(0);

  const refused = attempt > 0 && !draft.guidelinesAgreed;
  const payable = phase === 'fresh' && blocking.length === 0;

  return (
    <>
      <PageHeading title={t('title')} lead={t('lead')} step={{ n: 5, of: 6 }} invalid={refused} />
      {refused ? <ErrorSummary items={[{ fieldId: agreeId, text: t('agree.required') }]} attempt={attempt} /> : null}
      {session.status === 'anonymous' && !guest ? (
        <div className={classes['guest']}>
          <Notice
            action={
              <div className={classes['buttons']}>
                <Button size="sm" onClick={() => void signIn('/guidelines')}>
                  {t('common:action.signIn')}
                </Button>
                <Button size="sm" variant="default" onClick={() => setGuest(true)}>
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
        <h2 id="plan-title">{t('plan')}</h2>
        {plan.data && draft.startsAt ? (
          <PolicyTimeline plan={plan.data} moveAt={draft.startsAt} promised={draft.time} />
        ) : plan.isError ? (
          <ErrorState
            failure={asProblem(plan.error)}
            title={t('common:page.loadFailed')}
            onRetry={() => void plan.refetch()}
          />
        ) : (
          <LoadingState rows={5} />
        )}
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
        <Checkbox
          id={agreeId}
          label={t('agree.label')}
          checked={draft.guidelinesAgreed}
          error={refused ? t('agree.required') : undefined}
          onChange={(event) => draftStore.patch({ guidelinesAgreed: event.currentTarget.checked })}
        />
      </div>
      {payable || phase === 'updating' || phase === 'loading' ? null : (
        <Notice tone="error">{t('estimate:staleLong')}</Notice>
      )}
      <StepActions back="/quote">
        <Button
          size="lg"
          disabled={!payable}
          onClick={() => {
            if (draft.guidelinesAgreed) void navigate({ href: '/payment' });
            else setAttempt((now) => now + 1);
          }}
        >
          {t('next')}
        </Button>
      </StepActions>
    </>
  );
}
