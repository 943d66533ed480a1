import type { components } from '@portage/api';

/** The calls of dispatch by the names of the contract; whoever needs one of them takes it from here. */
type Schemas = components['schemas'];

/** Jobs of some days, and who may be sent. */
export type DispatchBoard = Schemas['DispatchBoard'];
export type DispatchJob = Schemas['DispatchJob'];
export type DispatchConflict = Schemas['DispatchConflict'];
/** Who would be good on a job, and why. */
export type CrewSuggestions = Schemas['CrewSuggestions'];
export type SuggestedMate = CrewSuggestions['mates'][number];
export type SuggestedTruck = CrewSuggestions['trucks'][number];
/** Who would go where on a day, and what stays open. */
export type DispatchPlan = Schemas['DispatchPlan'];
export type PlannedJob = DispatchPlan['jobs'][number];
export type PlannedMate = PlannedJob['crew'][number];
export type OpenJob = DispatchPlan['open'][number];
export type ClashingJob = Schemas['ClashingJob'];
