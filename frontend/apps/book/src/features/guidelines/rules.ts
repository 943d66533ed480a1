import type { PaymentPlan, PolicyTerm } from '@portage/api';
import type { GlyphName } from '@portage/domain/glyphs';

/** The date of a rule in this very plan: an amount on a day, or the end or the beginning of a span. */
export type RuleDate =
  | { kind: 'due'; at: string; amount: string }
  | { kind: 'until'; at: string }
  | { kind: 'from'; at: string; amount: string };

interface Rule {
  glyph: GlyphName;
  term: PolicyTerm;
  date: RuleDate | null;
}

/** The terms that the server finds true of a plan, in the order they are read, each with its date. */
export function rulesOf(plan: PaymentPlan): Rule[] {
  const later = plan.mode !== 'full_at_once';
  const free = plan.cancellation.findLast((window) => Number(window.kept) === 0 && window.until != null);
  const kept = plan.cancellation.filter((window) => Number(window.kept) > 0);
  const due = (kinds: readonly string[]): RuleDate | null => {
    const charge = plan.charges.find(({ kind }) => kinds.includes(kind));
    return charge && later ? { kind: 'due', at: charge.dueAt, amount: charge.amount } : null;
  };
  const from = (window: (typeof kept)[number] | undefined): RuleDate | null =>
    window && later ? { kind: 'from', at: window.from, amount: window.kept } : null;
  const until: RuleDate | null = free?.until == null ? null : { kind: 'until', at: free.until };
  const of = (term: PolicyTerm): Rule => {
    switch (term) {
      case 'balance':
        return { glyph: 'box', term, date: due(['balance']) };
      case 'cancelFree':
      case 'cancelFreeToLock':
        return { glyph: 'portage', term, date: until };
      case 'cancelAlwaysFree':
      case 'actualCosts':
        return { glyph: 'portage', term, date: null };
      case 'depositKept':
      case 'depositKeptAtOnce':
      case 'shareKept':
      case 'shareKeptAtOnce':
        return { glyph: 'suitcase', term, date: from(kept[0]) };
      case 'lockRest':
      case 'lockFull':
      case 'lockShare':
        return { glyph: 'truck', term, date: from(kept.at(-1)) };
      case 'changes':
      case 'changesAtOnce':
        return { glyph: 'tools', term, date: null };
      case 'deposit':
      case 'depositAtBooking':
      case 'depositOnly':
      case 'depositOnlyAtBooking':
      case 'fullAtOnce':
      case 'merged':
        return { glyph: 'box', term, date: due(['deposit', 'full']) };
    }
  };
  // `lockRest` names the charge of the balance already: it is not listed twice
  const told = plan.terms.filter((term) => term !== 'balance' || !plan.terms.includes('lockRest'));
  return told.map(of);
}
