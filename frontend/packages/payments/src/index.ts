import './texts.ts';

export { CardEntry } from './card-entry.tsx';
export { type CardHandle, CardRefused } from './card-handle.ts';
export { useCardName } from './card-name.ts';
export { CardProblem, isAboutCard } from './card-problem.tsx';
export { storeCard } from './store-card.ts';
export { useCardWithin } from './use-card-within.ts';
