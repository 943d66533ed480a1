import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

it('puts the nonce of the page on every style element, also on those of an open dialog', async () => {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  meta.nonce = 'n-1';
  document.head.append(meta);
  // the nonce is on the page before any script runs
  const { KitProvider } = await import('./provider.tsx');
  const { Dialog } = await import('./dialog.tsx');
  render(
    <KitProvider>
      <Dialog opened title="Leave?" onClose={() => {}} />
    </KitProvider>,
  );
  await screen.findByText('Leave?');
  const styles = [...document.querySelectorAll('style')];
  expect(styles.length).toBeGreaterThan(1);
  expect(styles.filter((style) => style.nonce !== 'n-1').map((style) => style.textContent)).toEqual([]);
});
