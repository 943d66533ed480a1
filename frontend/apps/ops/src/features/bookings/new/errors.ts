import type { ApiProblem } from '@portage/api';
import { useTranslation } from 'react-i18next';

import { placed, sides } from '../parts/move-ends.ts';
import { aboutField, partOf } from '../parts/refusals.ts';
import { chosenItems, type OrderForm } from './form.ts';

/** What is wrong, by the name of a field of the page. */
export type Errors = Record<string, string>;

/** Id of the element that a field is changed with. */
export const fieldId = (field: string) => `order-${field}`;

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const digits = (text: string) => text.replaceAll(/\D/g, '');
const isPhone = (text: string) => /^[\d\s+().-]*$/.test(text) && /^\d{10,15}$/.test(digits(text));

/** Refusals without a field that only a new booking meets, and the one that they are about. */
const about: Record<string, string> = {
  ...aboutField,
  slot_gone: 'start',
  not_a_slot: 'start',
  date_closed: 'start',
  date_past: 'start',
  too_soon: 'start',
  too_far_ahead: 'start',
  guidelines_not_agreed: 'agreed',
  card_required: 'payment',
};

/** A field of the page for one of the call. */
function fieldOf(name: string): string {
  const [first, second] = partOf(name);
  if (first === 'customer') return second || 'email';
  if (first === 'date' || first === 'time') return 'start';
  if (first === 'guidelinesAgreed') return 'agreed';
  return first;
}

/** What the fields of the page are called, and what is wrong with them. */
export function useOrderErrors() {
  const { t } = useTranslation(['order', 'common', 'person', 'address']);
  const names: Record<string, string> = {
    email: t('person:email'),
    firstName: t('person:firstName'),
    lastName: t('person:lastName'),
    phone: t('person:phone'),
  };
  const required = (field: string) => t('common:form.required', { p1: names[field] ?? field });

  /** What is missing or cannot be, before anything is sent. */
  const check = (form: OrderForm): Errors => {
    const errors: Errors = {};
    const { caller } = form;
    for (const field of ['phone', 'email', 'firstName', 'lastName'] as const)
      if (caller[field].trim() === '') errors[field] = required(field);
    if (!errors['phone'] && !isPhone(caller.phone)) errors['phone'] = t('person:phoneInvalid');
    if (!errors['email'] && !email.test(caller.email.trim()))
      errors['email'] = t('common:form.invalid', { p1: names['email'] ?? '' });
    for (const side of sides) if (!placed(form.ends[side])) errors[side] = t('address:address.incomplete');
    if (chosenItems(form).length === 0) errors['items'] = t('what.none');
    if (!form.move.date || !form.move.time) errors['start'] = t('when.none');
    if (!form.agreed) errors['agreed'] = t('terms.required');
    return errors;
  };

  /** A refusal of the server, at the fields that it is about; empty when it is about none. */
  const ofProblem = (problem: ApiProblem): Errors => {
    const errors: Errors = {};
    for (const { field, code, message } of problem.fieldErrors) {
      const name = fieldOf(field);
      const own = name in names;
      errors[name] ??=
        own && code === 'required'
          ? required(name)
          : own && code === 'too_long'
            ? t('person:tooLong', { p1: names[name] ?? '' })
            : name === 'phone'
              ? t('person:phoneInvalid')
              : message || problem.detail;
    }
    const one = about[problem.code];
    if (one && problem.code === 'card_required') errors[one] ??= t('noCard');
    else if (one && problem.code === 'slot_gone') errors[one] ??= t('when.gone');
    else if (one) errors[one] ??= problem.detail;
    return errors;
  };
  return { check, ofProblem };
}
