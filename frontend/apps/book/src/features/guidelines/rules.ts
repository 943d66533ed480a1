import type { PaymentPlan } from '@portage/api';
import type { GlyphName } from '@portage/domain';

/** The sentences that are true of a plan, by text key, in the order they are read; the plan above them has the dates. */
export function rulesOf(plan: PaymentPlan) {
  const split = plan.mode === 'split';
  const rules = [
    {
      glyph: 'box',
      key: split ? 'domain:rule.deposit' : plan.mode === 'merged' ? 'domain:rule.merged' : 'domain:rule.fullAtOnce',
    },
    ...(plan.cancellation.some((window) => Number(window.kept) === 0)
      ? [{ glyph: 'portage', key: 'guidelines:guideline.cancelFree' } as const]
      : []),
    // without a deposit of its own there is none to keep, and no remaining 80%
    ...(split ? [{ glyph: 'suitcase', key: 'guidelines:guideline.cancelAfter24' } as const] : []),
    { glyph: 'truck', key: split ? 'guidelines:guideline.within48' : 'guidelines:guideline.within48Full' },
    { glyph: 'tools', key: 'guidelines:guideline.changes' },
  ] as const;
  return rules satisfies readonly { glyph: GlyphName; key: string }[];
}
