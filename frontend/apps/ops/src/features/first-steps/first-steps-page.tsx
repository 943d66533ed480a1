import { asProblem } from '@portage/api';
import { profileQuery, QueryState } from '@portage/frame';
import { ErrorState, Notice, PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './first-steps.module.css';
import { confirmPrices, firstStepsKey, firstStepsQuery } from './queries.ts';
import { type Step, stepPages, stepsOf, forAdministrators } from './types.ts';

/** What a new company does before it opens, and how far it is. */
function FirstStepsPage() {
  const { t } = useTranslation(['firstSteps', 'shell']);
  const told = useQuery({ ...firstStepsQuery, staleTime: 0 });
  return (
    <>
      <PageHeading title={t('shell:area.firstSteps')} lead={t('lead')} />
      <QueryState query={told} rows={5} height={48}>
        {(answer) => (
          <>
            {answer.done ? (
              <div className={classes['open']}>
                <Notice tone="success" title={t('open.title')} action={<a href="/">{t('open.link')}</a>}>
                  {t('open.text')}
                </Notice>
              </div>
            ) : null}
            <ol className={classes['steps']}>
              {stepsOf(answer).map((step) => (
                <StepRow key={step.code} step={step} />
              ))}
            </ol>
          </>
        )}
      </QueryState>
    </>
  );
}

function StepRow({ step: { code, done } }: { step: Step }) {
  const { t } = useTranslation('firstSteps');
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const role = useQuery(profileQuery).data?.role;
  // while the role is not known yet, only what every role may do is offered
  const may = role === 'admin' || !forAdministrators.has(code);
  const Sign = done ? IconCircleCheck : IconCircle;
  return (
    <li className={classes['step']} data-done={done || undefined} aria-labelledby={id}>
      <Sign size={20} stroke={1.75} className={classes['sign']} aria-hidden />
      <div className={classes['words']}>
        <h2 id={id} ref={title} tabIndex={-1} className={classes['title']}>
          {t(`step.${code}`)}
        </h2>
        <p>{t(`why.${code}`)}</p>
        <p className={classes['state']}>{done ? t('state.done') : t('state.open')}</p>
        {role !== undefined && !may && !done ? <p>{t('admins')}</p> : null}
        <div className={classes['ways']}>
          {may || code === 'prices' ? <Link to={stepPages[code]}>{t(`go.${code}`)}</Link> : null}
          {/* what took the place of the button is the step itself */}
          {code === 'prices' && !done && may ? <PricesAreRight onDone={() => title.current?.focus()} /> : null}
        </div>
      </div>
    </li>
  );
}

/** Says that somebody has looked at the prices, where nobody had to change one. */
function PricesAreRight({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('firstSteps');
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: confirmPrices,
    onSuccess: async () => {
      showToast({ text: t('prices.done') });
      onDone();
      await queries.invalidateQueries({ queryKey: firstStepsKey });
    },
  });
  return (
    <>
      <DeskButton busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {t('prices.right')}
      </DeskButton>
      {confirm.isError ? <ErrorState led failure={asProblem(confirm.error)} title={t('prices.failed')} /> : null}
    </>
  );
}

export const Route = createLazyRoute('/desk/first-steps')({ component: FirstStepsPage });
