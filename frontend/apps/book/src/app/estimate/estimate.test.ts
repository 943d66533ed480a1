import { describe, expect, it } from 'vitest';

import { emptyDraft } from '../draft/draft.ts';
import { estimatePhase } from './estimate-context.tsx';
import { estimatePayload, kilometres, travelMinutes } from './payload.ts';

describe('estimatePhase', () => {
  const base = { wanted: 'b', quoteFor: 'a', hasQuote: true, fetching: false, failed: false };
  it.each([
    ['not enough is known', { ...base, wanted: null, hasQuote: false }, 'empty'],
    ['the first price is on its way', { ...base, hasQuote: false }, 'loading'],
    ['the price answers the draft', { ...base, quoteFor: 'b' }, 'fresh'],
    ['the draft has changed', base, 'updating'],
    ['the new price failed', { ...base, failed: true }, 'stale'],
    ['the first price failed', { ...base, hasQuote: false, failed: true }, 'failed'],
    ['the route failed after a price was known', { ...base, wanted: null, failed: true }, 'stale'],
  ])('when %s', (_, input, phase) => expect(estimatePhase(input)).toBe(phase));
});

it('asks for nothing until there is a route and an item', () => {
  expect(estimatePayload(emptyDraft())).toBeNull();
});

it('sends minutes of at least 1 and kilometres with one decimal', () => {
  expect([travelMinutes(10), travelMinutes(1500), travelMinutes(1529)]).toEqual([1, 25, 25]);
  expect([kilometres(12_449), kilometres(0), kilometres(999)]).toEqual(['12.4', '0.0', '1.0']);
});
