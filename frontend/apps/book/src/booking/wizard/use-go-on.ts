import { useNavigate } from '@tanstack/react-router';

import { pageAfter, type WizardPath } from '../draft/steps.ts';

/** Goes on to the page after this one. */
export function useGoOn(path: WizardPath): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: pageAfter(path) ?? '/' });
}
