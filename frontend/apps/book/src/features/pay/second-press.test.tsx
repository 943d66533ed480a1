import type { CardHandle } from '@portage/payments';
import {
  cardLinkHandlers,
  consentHandlers,
  freshCardLink,
  freshConsent,
  freshLink,
  linkHandlers,
} from '@portage/mock-api';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';

import { server, useApp } from '../../test/render-app.tsx';
import { useCardLink } from './use-card-link.ts';
import { useConsent } from './use-consent.ts';
import { useLinkPayment } from './use-link-payment.ts';

useApp();

const card = { current: { tokenise: () => Promise.resolve('nonce-1') } as CardHandle };
const client = new QueryClient();
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);

// The answer is there, and nothing is drawn yet: the button of the first press can be pressed again.

it('adds no card again before the first one is drawn', async () => {
  const world = freshCardLink();
  const open = world.link!;
  server.use(...cardLinkHandlers(world));
  const { result } = renderHook(() => useCardLink('a-token', card), { wrapper });
  const { store } = result.current;
  await act(async () => {
    await store(open);
    await store(open);
  });
  expect(world.sent).toHaveLength(1);
});

it('pays no link again before the first payment is drawn', async () => {
  const world = freshLink();
  const open = world.link!;
  server.use(...linkHandlers(world));
  const { result } = renderHook(() => useLinkPayment('a-token', card), { wrapper });
  const { pay } = result.current;
  await act(async () => {
    await pay(open);
    await pay(open);
  });
  expect(world.sent).toHaveLength(1);
});

it('answers no question again before the first answer is drawn', async () => {
  const world = freshConsent();
  server.use(...consentHandlers(world));
  const { result } = renderHook(() => useConsent('a-token'), { wrapper });
  const { answer } = result.current;
  await act(async () => {
    await answer(true);
    await answer(true);
  });
  expect(world.sent).toHaveLength(1);
});
