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

/** One whose code came with the press: it is there from then on, and opened and closed. */
function Kept() {
  const [wanted, setWanted] = useState(false);
  const [opened, setOpened] = useState(false);
  return (
    <KitProvider>
      <button
        type="button"
        onClick={() => {
          setWanted(true);
          setOpened(true);
        }}
      >
        Look through
      </button>
      {wanted ? (
        <Dialog whole opened={opened} title="The list" onClose={() => setOpened(false)}>
          <input aria-label="Search" />
        </Dialog>
      ) : null}
    </KitProvider>
  );
}

it('gives the focus back each time it is closed, also where it was open from the beginning', async () => {
  const user = userEvent.setup();
  render(<Kept />);
  const open = screen.getByRole('button', { name: 'Look through' });
  for (const time of ['first', 'second']) {
    await user.click(open);
    const dialog = await screen.findByRole('dialog', { name: 'The list' });
    await waitFor(() => expect(dialog, time).toContainElement(document.activeElement as HTMLElement));
    // a long list is not read out as what describes it
    expect(dialog).not.toHaveAttribute('aria-describedby');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(open).toHaveFocus());
  }
});
