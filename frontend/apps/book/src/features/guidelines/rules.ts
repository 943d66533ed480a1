import type { PaymentPlan } from '@portage/api';
import type { GlyphName } from '@portage/domain/glyphs';

/** The date of a rule in this very plan: an amount on a day, or the end or the beginning of a span. */
export type RuleDate =
  | { kind: 'due'; at: string; amount: string }
  | { kind: 'until'; at: string }
  | { kind: 'from'; at: string; amount: string };

/** The sentences that are true of a plan, by text key, in the order they are read, each with its date. */
export function rulesOf(plan: PaymentPlan) {
  const split = plan.mode === 'split';
  const [charge] = plan.charges;
  const free = plan.cancellation.find((window) => Number(window.kept) === 0);
  const kept = plan.cancellation.filter((window) => Number(window.kept) > 0);
  const deposit = split ? kept[0] : undefined;
  const last = kept.at(-1);
  const due: RuleDate | null =
    charge && plan.mode !== 'full_at_once' ? { kind: 'due', at: charge.dueAt, amount: charge.amount } : null;
  const from = (window: typeof last): RuleDate | null =>
    window && plan.mode !== 'full_at_once' ? { kind: 'from', at: window.from, amount: window.kept } : null;
  const rules = [
    {
      glyph: 'box',
      key: split ? 'domain:rule.deposit' : plan.mode === 'merged' ? 'domain:rule.merged' : 'domain:rule.fullAtOnce',
      date: due,
    },
    ...(free
      ? [
          {
            glyph: 'portage',
            key: 'guidelines:guideline.cancelFree',
            date: free.until == null ? null : ({ kind: 'until', at: free.until } as RuleDate),
          } as const,
        ]
      : []),
    // without a deposit of its own there is none to keep, and no remaining 80%
    ...(split ? [{ glyph: 'suitcase', key: 'guidelines:guideline.cancelAfter24', date: from(deposit) } as const] : []),
    {
      glyph: 'truck',
      key: split ? 'guidelines:guideline.within48' : 'guidelines:guideline.within48Full',
      date: from(last),
    },
    { glyph: 'tools', key: 'guidelines:guideline.changes', date: null },
  ] as const;
  return rules satisfies readonly { glyph: GlyphName; key: string; date: RuleDate | null }[];
}
