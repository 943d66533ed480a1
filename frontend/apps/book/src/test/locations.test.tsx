import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { renderApp, useApp, withAddresses } from './render-app.tsx';

useApp();

describe('a floor out of range', () => {
  it('is refused in the language on screen', async () => {
    const { user } = await renderApp('/locations', { draft: { ...withAddresses, pickupFloor: -5 }, language: 'fr' });
    await user.click(await screen.findByRole('button', { name: 'Continuer vers le type' }));
    expect(await screen.findByText('Étage n’est pas valide.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/Invalid|Too small/)).toBeNull());
  });
});
