import type { PaymentPlan, PolicyFigures, PolicyTerm } from '@portage/api';
import { formatNumber, type Language, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

const count = (hours: number, language: Language) => formatNumber(hours, language);

/** `24 hours`, `24 heures`, `24 小时`. */
function hoursText(hours: number, language: Language): string {
  if (language === 'zh') return `${count(hours, language)} 小时`;
  if (language === 'fr') return `${count(hours, language)} ${hours < 2 ? 'heure' : 'heures'}`;
  return `${count(hours, language)} ${hours === 1 ? 'hour' : 'hours'}`;
}

/** After `within`: French puts an article before it, and leaves one hour without its number. */
function spanText(hours: number, language: Language): string {
  if (language !== 'fr') return hoursText(hours, language);
  return hours === 1 ? 'l’heure' : `les ${hoursText(hours, language)}`;
}

function nextText(hours: number, language: Language): string {
  if (language === 'zh') return hoursText(hours, language);
  if (language === 'fr') return hours < 2 ? 'la prochaine heure' : `les ${count(hours, language)} prochaines heures`;
  return hours === 1 ? 'the next hour' : `the next ${hoursText(hours, language)}`;
}

const shareText = (share: number, language: Language) =>
  formatNumber(share, language, { style: 'percent', maximumFractionDigits: 2 });

/**
 * The figures of a policy as texts name them. The server has the same names for its own texts: no text of an app, a mail or a
 * file writes such a figure itself.
 */
export function policyValues(figures: PolicyFigures, language: Language) {
  const { freeWindow, lockWindow, tipDelay } = figures;
  const short = (hours: number) => `${count(hours, language)}\u00A0h`;
  return {
    deposit: shareText(Number(figures.deposit), language),
    rest: shareText(1 - Number(figures.deposit), language),
    changeFee: shareText(Number(figures.changeFee), language),
    afterFree: shareText(Number(figures.afterFree), language),
    afterLock: shareText(Number(figures.afterLock), language),
    freeWindow: hoursText(freeWindow, language),
    freeSpan: spanText(freeWindow, language),
    freeSpanShort: freeWindow === 1 ? 'l’heure' : `les ${short(freeWindow)}`,
    lockWindow: hoursText(lockWindow, language),
    lockSpan: spanText(lockWindow, language),
    lockNext: nextText(lockWindow, language),
    lockShort: short(lockWindow),
    tipDelay: hoursText(tipDelay, language),
  };
}

/** Writes figures of a policy for texts; nothing is known before the settings are read. */
export function usePolicyValues(figures: PolicyFigures): ReturnType<typeof policyValues>;
export function usePolicyValues(figures: PolicyFigures | undefined): ReturnType<typeof policyValues> | undefined;
export function usePolicyValues(figures: PolicyFigures | undefined) {
  const language = useLanguage();
  return figures && policyValues(figures, language);
}

/** Writes a term of a policy as a sentence. */
export function useTermText(): (term: PolicyTerm, figures: PolicyFigures) => string {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  return (term, figures) => t(`term.${term}`, policyValues(figures, language));
}

type Terms = Pick<PaymentPlan, 'terms'> & { figures: PolicyFigures };

/** What a change costs, as a sentence of its own; null where no change costs. */
export function useChangesRule(): (terms: Terms) => string | null {
  const { t } = useTranslation('domain');
  const language = useLanguage();
  return ({ terms, figures }) => {
    const rule = terms.includes('changes')
      ? 'rule.changes'
      : terms.includes('changesAtOnce')
        ? 'rule.changesAtOnce'
        : null;
    return rule && t(rule, policyValues(figures, language));
  };
}

const ofCharges = new Set<PolicyTerm>([
  'deposit',
  'depositAtBooking',
  'depositOnly',
  'depositOnlyAtBooking',
  'balance',
  'fullAtOnce',
  'merged',
]);

/** The terms that tell what is charged when, in the order they are read. */
export function chargeTerms(terms: readonly PolicyTerm[]): PolicyTerm[] {
  return terms.filter((term) => ofCharges.has(term));
}
