import type { AuditEntry } from '@portage/api';
import { montrealZone, useDurationText } from '@portage/domain';
import { formatDateTime, formatItems, formatMoney, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { changedFields } from './change.ts';
import classes from './change.module.css';

const fields = [
  'amount',
  'booking',
  'brand',
  'cancelledBy',
  'credit',
  'credited',
  'crew',
  'customer',
  'discountCode',
  'durationMinutes',
  'email',
  'firstName',
  'kept',
  'kind',
  'language',
  'last4',
  'lastName',
  'mateCount',
  'mates',
  'method',
  'moveAt',
  'name',
  'note',
  'number',
  'obstacles',
  'payment',
  'phone',
  'purpose',
  'reason',
  'reference',
  'refund',
  'role',
  'rows',
  'shared',
  'state',
  'status',
  'takenBy',
  'truck',
  'visibility',
] as const;
const money = new Set(['amount', 'credited', 'kept', 'total']);
const statuses = ['pending', 'assigned', 'completed', 'invoiced', 'payed', 'cancelled', 'deleted'] as const;
const requestStates = ['new', 'answering', 'booked', 'closed'] as const;
const words = [
  'batch',
  'cancellation',
  'card',
  'credit_note',
  'draft',
  'goodwill',
  'issued',
  'move',
  'paid',
  'refund',
  'sent',
  'void',
] as const;
const handMethods = ['cash', 'cheque', 'etransfer'] as const;
const worded = new Set(['kind', 'method', 'purpose', 'state']);
const causes = ['customer', 'company', 'system'] as const;
const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/u;

/** A field by its name, as the program calls it where it has none; requests and invoices both have a state. */
function useFieldName(subject: AuditEntry['subjectKind']): (field: string) => string {
  const { t } = useTranslation(['audit', 'domain']);
  return (field) => {
    if (field === 'total') return t('domain:price.totalWithTaxes');
    if (field === 'state' && subject === 'invoice') return t('field.invoiceState');
    const known = fields.find((one) => one === field);
    return known ? t(`field.${known}`) : field;
  };
}

/** A value of the trail in words; of what has parts each with its name. */
function useValueText({ actor, subjectKind }: AuditEntry): (field: string, value: unknown) => string {
  const { t } = useTranslation(['audit', 'domain']);
  const language = useLanguage();
  const duration = useDurationText();
  const name = useFieldName(subjectKind);
  const text = (field: string, value: unknown): string => {
    if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
      return value.length === 0 ? t('none') : formatItems(value.map(String), language);
    if (value === null || value === undefined || value === '') return t('none');
    if (typeof value === 'boolean') return value ? t('yes') : t('no');
    if (field === 'durationMinutes' && typeof value === 'number') return duration(value);
    if (typeof value === 'object' && !Array.isArray(value)) {
      const parts = changedFields({ before: null, after: value });
      return formatItems(
        parts.map((part) => t('of', { name: name(part.field), value: text(part.field, part.after) })),
        language,
      );
    }
    if (typeof value !== 'string') return JSON.stringify(value);
    if (money.has(field)) return formatMoney(value, language);
    const status = field === 'status' ? statuses.find((one) => one === value) : undefined;
    if (status) return t(`domain:bookingStatus.${status}`);
    const state = field === 'state' ? requestStates.find((one) => one === value) : undefined;
    if (state) return t(`requestState.${state}`);
    const word = worded.has(field) ? words.find((one) => one === value) : undefined;
    if (word) return t(`value.${word}`);
    const hand = field === 'method' ? handMethods.find((one) => one === value) : undefined;
    if (hand) return t(`domain:statement.by.${hand}`);
    if (field === 'takenBy') return (value === actor?.id ? actor.name : null) ?? t('colleague');
    const cause = field === 'cancelledBy' ? causes.find((one) => one === value) : undefined;
    if (cause) return t(`by.${cause}`);
    return instant.test(value) ? formatDateTime(value, montrealZone, language) : value;
  };
  return text;
}

/** What an entry of the trail changed: each field by its name, as it was and as it became. */
export function Change({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit');
  const name = useFieldName(entry.subjectKind);
  const text = useValueText(entry);
  const changed = changedFields(entry);
  if (changed.length === 0) return <span className="pg-muted">{t('nothing')}</span>;
  const list = (
    <dl className={classes['list']}>
      {changed.map(({ field, before, after }) => (
        <div key={field}>
          <dt>{name(field)}</dt>
          <dd>
            {entry.before === null || entry.before === undefined ? (
              text(field, after)
            ) : entry.after === null || entry.after === undefined ? (
              <del>{text(field, before)}</del>
            ) : (
              <>
                <del>{text(field, before)}</del>
                <span aria-hidden> → </span>
                <ins>{text(field, after)}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
  // what was made or removed is known by its name; its fields are there for whoever asks
  return entry.before && entry.after ? (
    list
  ) : (
    <details>
      <summary>{t('show')}</summary>
      {list}
    </details>
  );
}
