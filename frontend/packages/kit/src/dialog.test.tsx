import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { Dialog } from './dialog.tsx';
import { KitProvider } from './provider.tsx';

function Page() {
  const [asking, setAsking] = useState(false);
  return (
    <KitProvider>
      <button type="button" onClick={() => setAsking(true)}>
        Ask
      </button>
      {asking ? (
        <Dialog opened title="Really?" onClose={() => setAsking(false)}>
          <input aria-label="Why" />
        </Dialog>
      ) : null}
    </KitProvider>
  );
}

it('gives the focus back to who asked, also when it is taken away with its question', async () => {
  const user = userEvent.setup();
  render(<Page />);
  const ask = screen.getByRole('button', { name: 'Ask' });
  await user.click(ask);
  await screen.findByRole('dialog', { name: 'Really?' });
  await waitFor(() => expect(ask).not.toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(ask).toHaveFocus());
});
