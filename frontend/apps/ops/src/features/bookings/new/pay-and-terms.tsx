import { NativeSelect } from '@mantine/core';
import { type PaymentMethod, paymentMethods, type PaymentPlan } from '@portage/api';
import { useChangesRule } from '@portage/domain';
import { useConfig } from '@portage/frame';
import { ChoiceGroup } from '@portage/kit';
import { CheckBox } from '@portage/kit/desk/button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import formClasses from '../parts/form.module.css';
import { partnerNamesQuery } from '../parts/partner-names.ts';
import { type Errors, fieldId } from './errors.ts';
import type { OrderForm } from './form.ts';
import classes from './new.module.css';

interface PayProps {
  form: OrderForm;
  /** What holds for this move, once it is priced. */
  plan: PaymentPlan | undefined;
  errors: Errors;
  onPayment: (payment: PaymentMethod) => void;
  onPartner: (partner: string) => void;
  onAgreed: (agreed: boolean) => void;
}

/** How it is paid, each way with what then happens; and what is read to the caller. */
export function PayAndTerms({ form, plan, errors, onPayment, onPartner, onAgreed }: PayProps) {
  const { t } = useTranslation('order');
  const general = useConfig()?.policy;
  const rule = useChangesRule();
  const changes = plan ? rule({ terms: plan.terms, figures: plan.policy }) : general ? rule(general) : null;
  // the card counts only where somebody is known to have one
  const ways = paymentMethods.filter((way) => way !== 'card' || form.known?.hasCard);
  return (
    <>
      <div className={formClasses['group']}>
        <ChoiceGroup
          id={fieldId('payment')}
          legend={t('group.pay')}
          name="payment"
          columns="list"
          value={form.payment}
          error={errors['payment']}
          choices={ways.map((value) => ({ value, label: t(`pay.${value}`), description: t(`pay.${value}Help`) }))}
          onChange={onPayment}
        />
        {form.payment === 'invoice' ? <PartnerChoice value={form.partner} onChange={onPartner} /> : null}
      </div>
      <fieldset className={formClasses['group']}>
        <legend className={formClasses['legend']}>{t('group.terms')}</legend>
        <div className={classes['terms']}>
          <ul className={classes['read']} aria-label={t('terms.read')}>
            <li>{t(`pay.${form.payment}Help`)}</li>
            {changes ? <li>{changes}</li> : null}
            <li>{t('terms.parking')}</li>
            <li>{t('terms.boxes')}</li>
          </ul>
          <div id={fieldId('agreed')} tabIndex={-1}>
            <CheckBox label={t('terms.agreed')} labelShown checked={form.agreed} onChange={onAgreed} />
          </div>
          {errors['agreed'] ? <p className="pg-error">{errors['agreed']}</p> : null}
        </div>
      </fieldset>
    </>
  );
}

/** The partner who gets the invoice of the move, where it is not the customer. */
function PartnerChoice({ value, onChange }: { value: string; onChange: (partner: string) => void }) {
  const { t } = useTranslation('order');
  const partners = useQuery(partnerNamesQuery).data ?? [];
  return (
    <NativeSelect
      id={fieldId('partner')}
      label={t('pay.partner')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: '', label: t('pay.noPartner') },
        ...partners.filter(({ state }) => state === 'active').map(({ id, label }) => ({ value: id, label })),
      ]}
    />
  );
}
