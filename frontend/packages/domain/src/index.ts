import './texts.ts';

export { placeCategories, type PlaceCategory, useAccessFacts, useFloorText } from './access.ts';
export { useProvinceChoices } from './provinces.ts';
export { AddressLine } from './address-line.tsx';
export { Arrival, type ArrivalWindow, useArrivalText } from './arrival.tsx';
export { cityName } from './city-name.ts';
export { useDurationText } from './duration.ts';
export { Glyph } from './glyph.tsx';
export { addMoney, centsOf, formatCents, parseCents, plainAmount, tipCents } from './money-math.ts';
export { PolicyTimeline } from './policy-timeline.tsx';
export { chargeTerms, policyValues, useChangesRule, usePolicyValues, useTermText } from './policy-words.ts';
export { PriceBreakdown, type Priced } from './price-breakdown.tsx';
export { montrealDay, montrealZone, StartTime, useStartClock } from './start-time.tsx';
export { StatementTable } from './statement.tsx';
export { StatusBadge } from './status-badge.tsx';
