import { Button, NativeSelect } from '@mantine/core';
import { usePolicyValues } from '@portage/domain';
import type { Shell } from '@portage/forms';
import { useConfig } from '@portage/frame';
import { ChoiceField, fieldId, TextAreaField, TextField, useFieldMessage } from '@portage/kit';
import { type Control, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { usePaymentPlan } from '../../booking/estimate/payment-plan.ts';
import { type Survey, surveys, surveysToSpecify } from '../../booking/draft/draft.ts';
import type { ExtrasValues } from './extras-form.ts';
import classes from './quote-page.module.css';

/** Suggested shares of the price before tax; none is chosen beforehand. */
const tipShares = ['10', '15', '20'];

interface ExtrasProps {
  id: string;
  shell: Shell<ExtrasValues>;
  /** A booking that is made already is not asked how the person heard of us. */
  editing: boolean;
}

/** What the quote page asks besides the price; its button stands at the end of the page. */
export function Extras({ id, shell, editing }: ExtrasProps) {
  const { t } = useTranslation(['quote', 'edit']);
  const { control } = shell.form;
  return (
    <form id={id} onSubmit={(event) => void shell.submit(event)} noValidate className={classes['sections']}>
      <Tip shell={shell} />
      <section className={classes['section']}>
        <TextAreaField
          control={control}
          name="comments"
          label={t('edit:field.comments')}
          optional
          autosize
          minRows={2}
          maxRows={8}
        />
        {editing ? null : <HeardOfUs control={control} />}
      </section>
    </form>
  );
}

function Tip({ shell }: { shell: Shell<ExtrasValues> }) {
  const { t } = useTranslation(['quote', 'domain']);
  const { control, setValue } = shell.form;
  const config = useConfig();
  const plan = usePaymentPlan();
  const figures = plan.data?.policy ?? config?.policy.figures;
  const values = usePolicyValues(figures);
  const [type, value] = useWatch({ control, name: ['tipType', 'tipValue'] });
  return (
    <section className={classes['section']} aria-labelledby="tip-title">
      <h2 id="tip-title">{t('domain:tip.title')}</h2>
      {values ? (
        <p className="pg-small pg-muted">{t(figures?.tipDelay === 0 ? 'tip.helpAtOnce' : 'tip.help', values)}</p>
      ) : null}
      <div className={classes['shares']} role="group" aria-label={t('tip.suggestions')}>
        <Button
          variant="default"
          size="sm"
          aria-pressed={value.trim() === ''}
          onClick={() => setValue('tipValue', '', { shouldValidate: true })}
        >
          {t('domain:tip.none')}
        </Button>
        {tipShares.map((share) => (
          <Button
            key={share}
            variant="default"
            size="sm"
            aria-pressed={type === 'percent' && value === share}
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
        label={type === 'percent' ? t('tip.percentValue') : t('tip.amountValue')}
        inputMode="decimal"
        autoComplete="off"
        optional
        maw={280}
        rightSection={<span aria-hidden>{type === 'percent' ? '%' : '$'}</span>}
      />
    </section>
  );
}

function HeardOfUs({ control }: { control: Control<ExtrasValues> }) {
  const { t } = useTranslation(['quote', 'common']);
  const message = useFieldMessage();
  const { field, fieldState } = useController({ control, name: 'survey' });
  return (
    <>
      <NativeSelect
        id={fieldId('survey')}
        label={t('common:form.optional', { label: t('survey.label') })}
        value={field.value ?? ''}
        error={message(fieldState.error?.message, t('survey.label'))}
        onBlur={field.onBlur}
        onChange={(event) => field.onChange((event.currentTarget.value || null) as Survey | null)}
        data={[
          { value: '', label: t('survey.choose') },
          ...surveys.map((value) => ({ value, label: t(`survey.${value}`) })),
        ]}
      />
      {field.value && surveysToSpecify.includes(field.value) ? (
        <TextField control={control} name="surveySpecify" label={t('survey.specifyLabel')} />
      ) : null}
    </>
  );
}
