import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { renderApp, useApp } from '../test/render-app.tsx';
import { isSafari, watchForAdBlock } from './browser-checks.ts';

useApp();

const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15';

afterEach(() => {
  vi.restoreAllMocks();
  document.getElementById('blocker')?.remove();
});

describe('isSafari', () => {
  it.each([
    [safari, true],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36', false],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 CriOS/126.0 Mobile Safari/604.1',
      false,
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0', false],
  ])('%s', (agent, answer) => expect(isSafari(agent)).toBe(answer));
});

it('tells people with Safari, until they have read it, and blocks nothing', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(safari);
  const first = await renderApp('/');
  expect(await screen.findByText(/Safari is not supported officially/)).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Next' })).toBeVisible();
  await first.user.click(screen.getByRole('button', { name: 'Dismiss' }));
  first.unmount();
  await renderApp('/');
  await screen.findByRole('heading', { level: 1 });
  expect(screen.queryByText(/Safari is not supported/)).not.toBeInTheDocument();
});

it('warns about an ad blocker and remembers that it was read', async () => {
  const style = document.createElement('style');
  style.id = 'blocker';
  style.textContent = '.adsbox { display: none }';
  document.head.append(style);
  const first = await renderApp('/');
  expect(await screen.findByText(/An ad blocker may stop parts of this page/)).toBeVisible();
  await first.user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText(/An ad blocker/)).not.toBeInTheDocument());
  expect(localStorage.getItem('portage.notice.adBlock')).toBe('1');
});

it('says that the person is offline and that nothing is lost', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await renderApp('/');
  expect(await screen.findByText('You are offline. What you typed is kept on this device.')).toBeVisible();
});

it('stops looking for an ad blocker when the page goes, and leaves nothing on it', async () => {
  vi.useFakeTimers();
  try {
    const told = vi.fn();
    const stop = watchForAdBlock(told);
    expect(document.querySelector('.adsbox')).toBeInTheDocument();
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).not.toHaveBeenCalled();
    expect(document.querySelector('.adsbox')).not.toBeInTheDocument();
  } finally {
    vi.useRealTimers();
  }
});
