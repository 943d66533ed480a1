import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';

import { desk, open, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
});

const asked = (method: string) => desk.world.asked.filter((call) => call.method === method);

it('lists messages, and asks the server for those that stand so', async () => {
  const { user, router } = open('/messages');
  expect(await screen.findByRole('button', { name: 'Your booking CA7F2K is confirmed' })).toBeVisible();
  // what was not sent has no subject yet: its kind says what it is
  expect(screen.getByRole('button', { name: 'Welcome' })).toBeVisible();
  await user.selectOptions(screen.getByLabelText('Delivery'), 'Given up');
  await waitFor(() => expect(screen.queryByRole('button', { name: /CA7F2K/ })).toBeNull());
  expect(router.state.location.search).toMatchObject({ standing: 'given_up' });
  expect(asked('GET').at(-1)?.query).toMatchObject({ standing: 'given_up', page: '1' });
});

it('shows a message as it was sent in a frame that runs nothing, and sends a copy', async () => {
  const { user } = open('/messages?open=message-1');
  const shown = await screen.findByRole('dialog');
  const frame = await within(shown).findByTitle<HTMLIFrameElement>('As it was sent');
  expect([frame.getAttribute('sandbox'), frame.srcdoc]).toEqual(['', '<p>Hello Ana</p>']);
  expect(within(shown).getByText('250 queued as 4F2')).toBeVisible();
  await user.type(within(shown).getByLabelText(/A copy to another address/), 'copy@example.test');
  await user.click(within(shown).getByRole('button', { name: 'Send it once more' }));
  expect(await screen.findByText('On its way once more to copy@example.test')).toBeVisible();
  expect(asked('POST').at(-1)?.body).toEqual({ to: 'copy@example.test' });
});

it('hands over again what was given up, and offers no copy of it', async () => {
  const { user } = open('/messages?open=message-2');
  const shown = await screen.findByRole('dialog');
  expect(await within(shown).findByText('550 no such user')).toBeVisible();
  expect(within(shown).queryByRole('button', { name: 'Send it once more' })).toBeNull();
  await user.click(within(shown).getByRole('button', { name: 'Hand it over again' }));
  expect(await screen.findByText('It is tried again now')).toBeVisible();
  await waitFor(() => expect(within(shown).queryByRole('button', { name: 'Hand it over again' })).toBeNull());
});

it('lists texts by themselves, and says why one was held back', async () => {
  const { user, router } = open('/messages');
  await screen.findByRole('button', { name: /CA7F2K/ });
  await user.selectOptions(screen.getByLabelText('By which way'), 'By text');
  await waitFor(() => expect(screen.queryByRole('button', { name: /CA7F2K/ })).toBeNull());
  expect(router.state.location.search).toMatchObject({ channel: 'sms' });
  expect(asked('GET').at(-1)?.query).toMatchObject({ channel: 'sms' });
  expect(screen.getByText('This number has stopped texts')).toBeVisible();
});

it('shows a text with its parts and the name at the relay, and offers no copy', async () => {
  open('/messages?open=message-4');
  const shown = await screen.findByRole('dialog');
  expect(await within(shown).findByText('Hello Ana')).toBeVisible();
  expect(within(shown).getByText('SM0123456789abcdef0123456789abcdef')).toBeVisible();
  expect(within(shown).getByText('Parts billed').nextElementSibling).toHaveTextContent('2');
  expect(within(shown).queryByRole('button', { name: 'Send it once more' })).toBeNull();
  expect(within(shown).queryByText(/it cannot be sent again/)).toBeNull();
});
