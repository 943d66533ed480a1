import { createContext, useContext } from 'react';

import type { Field } from './fields.ts';
import type { SettingsForm } from './use-settings-form.ts';

interface Settings extends SettingsForm {
  /** Shown, but not theirs to change. */
  locked: boolean;
}

/** The form of the group on screen, for its inputs. */
export const SettingsContext = createContext<Settings | null>(null);

export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error('an input of a setting stands outside of its form');
  return settings;
}

/** A field of the group by its name. */
export function useField(name: string): Field {
  const field = useSettings().fields.find((one) => one.name === name);
  if (!field) throw new Error(`no setting is called ${name}`);
  return field;
}
