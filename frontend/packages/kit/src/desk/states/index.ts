import '../texts.ts';

export { Failed, NothingFound, NothingYet, Skeleton } from './states.tsx';
