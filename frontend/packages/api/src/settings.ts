import type { components } from './schema.d.ts';

/** Short names for the documented shapes of the company's own numbers and of its first steps. */
type Schemas = components['schemas'];

/** A group of settings: what holds, what was saved of it, and what it follows otherwise. */
export type SettingsGroup = Schemas['SettingsRecord'];
export type SettingsRequest = Schemas['SettingsRequest'];
/** What was saved of a group, newest first. */
export type SettingsVersions = Schemas['SettingsVersions'];
/** What a new company does before it opens for booking. */
export type FirstSteps = Schemas['FirstSteps'];
export type FirstStep = Schemas['FirstStep'];
