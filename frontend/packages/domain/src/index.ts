import './texts.ts';

export { AddressLine } from './address-line.tsx';
export { Arrival, useArrivalText } from './arrival.tsx';
export { useDurationText } from './duration.ts';
export { categoryGlyph, furnitureGlyph, Glyph, type GlyphName } from './glyphs.tsx';
export { addMoney, centsOf, formatCents, parseCents, plainAmount, tipCents } from './money-math.ts';
export { PolicyTimeline } from './policy-timeline.tsx';
export { PriceBreakdown, type Priced } from './price-breakdown.tsx';
export { dayAndClock, montrealDay, montrealZone, StartTime, useStartClock } from './start-time.tsx';
export { StatusBadge } from './status-badge.tsx';
