import { askHandlers, type AskWorld, problem } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';

import { draftStore } from '../booking/draft/draft-store.ts';
import { renderApp, server, useApp, withItems } from './render-app.tsx';

useApp();

let world: AskWorld;
beforeEach(() => {
  world = { asked: [], answers: [] };
  server.use(...askHandlers(world));
});

/** A move with a piece that only a person arranges. */
const tub = { ...withItems, selectedFurnitures: [{ id: 'hot-tub', quantity: 1 }], comments: 'Two cats' };

async function ask() {
  const { user } = await renderApp('/move-type', { draft: tub });
  await user.click((await screen.findAllByRole('button', { name: 'Ask a person' }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole('dialog', { name: 'Ask a person' }));
  await dialog.findByLabelText('Your name');
  return { user, dialog, send: () => user.click(dialog.getByRole('button', { name: 'Send my request' })) };
}

it('goes from the warning to a person, with the move as it is', async () => {
  const { user, dialog, send } = await ask();
  await user.type(dialog.getByLabelText('Your name'), ' Camille Caron ');
  await user.type(dialog.getByLabelText('E-mail'), 'camille@example.test');
  await user.selectOptions(dialog.getByLabelText('When may we call you'), 'In the evening, after 5 p.m.');
  await user.selectOptions(dialog.getByLabelText('Language'), 'Français');
  await send();
  expect(await dialog.findByText('Camille Caron, your request has reached us')).toBeVisible();
  expect(dialog.getByText(/We answer to camille@example.test/)).toBeVisible();
  expect(world.asked).toHaveLength(1);
  const { body, key } = world.asked[0] ?? {};
  expect(key).toBeTruthy();
  expect(body).toMatchObject({
    name: 'Camille Caron',
    email: 'camille@example.test',
    callAt: 'evening',
    language: 'fr',
    obstacles: ['heavy_items'],
    bookingRequest: { comments: 'Two cats', selectedFurnitures: [{ id: 'hot-tub', quantity: 1 }] },
  });
  expect(JSON.stringify(body)).not.toContain('holdId');
  // the move stays where it was
  await user.click(dialog.getByRole('button', { name: 'Back to my move' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(draftStore.get().comments).toBe('Two cats');
});

it('tells of a move that was hardly begun only what was said of it', async () => {
  const { emptyDraft } = await import('../booking/draft/draft.ts');
  const { requestSoFar } = await import('../booking/draft/booking-request.ts');
  const named = ['Floor', 'HasElevator', 'HasParking', 'Accessibility', 'Details', 'AptUnit'];
  const empty = requestSoFar(emptyDraft());
  for (const field of [...named.flatMap((name) => [`pickup${name}`, `dropoff${name}`]), 'mateCount', 'bookingType'])
    expect(empty, field).not.toHaveProperty(field);
  // what was set is told, also before there is an address
  const begun = emptyDraft();
  begun.ends.pickup.floor = 4;
  expect(requestSoFar({ ...begun, mateCount: 3 })).toMatchObject({ pickupFloor: 4, mateCount: 3 });
  expect(requestSoFar({ ...begun, mateCount: 3 })).not.toHaveProperty('pickupHasParking');
  // with its pieces and addresses a move is told as a whole
  const whole = { ...emptyDraft(), ...tub };
  expect(requestSoFar(whole)).toMatchObject({
    mateCount: 2,
    pickupFloor: whole.ends.pickup.floor,
    bookingType: 'residential',
  });
});

it('needs a name, and an address or a number', async () => {
  const { user, dialog, send } = await ask();
  await send();
  await waitFor(() => expect(dialog.getByRole('alert')).toHaveFocus());
  // beforehand, and all of it at once
  expect(dialog.getByText(/an e-mail address or a telephone number is enough/)).toBeVisible();
  expect(
    within(dialog.getByRole('alert'))
      .getAllByRole('listitem')
      .map((line) => line.textContent),
  ).toEqual(['Your name is required.', 'Enter an e-mail address or a telephone number, so that we can answer.']);
  await user.type(dialog.getByLabelText('Your name'), 'Camille');
  await send();
  expect(dialog.getByLabelText('E-mail')).toHaveAccessibleDescription(
    'Enter an e-mail address or a telephone number, so that we can answer.',
  );
  await user.type(dialog.getByLabelText('E-mail'), 'camille@');
  await send();
  expect(dialog.getByLabelText('E-mail')).toHaveAccessibleDescription('Enter an e-mail address like name@example.com.');
  expect(world.asked).toEqual([]);
  await user.clear(dialog.getByLabelText('E-mail'));
  await user.type(dialog.getByLabelText('Telephone'), '514-555-0199');
  await send();
  expect(await dialog.findByText(/We call you at 514-555-0199/)).toBeVisible();
  expect(world.asked).toHaveLength(1);
});

it('is one request however often it is sent, and tells why it was refused', async () => {
  world.answers.push(
    () => HttpResponse.error(),
    () => problem(429, 'quote_request_limit', 'Several requests reached us within a day already.'),
  );
  const { user, dialog, send } = await ask();
  await user.type(dialog.getByLabelText('Your name'), 'Camille');
  await user.type(dialog.getByLabelText('E-mail'), 'camille@example.test');
  await send();
  await dialog.findByRole('alert');
  await send();
  expect(await dialog.findByText('Several requests reached us within a day already.')).toBeVisible();
  expect(world.asked).toHaveLength(2);
  expect(world.asked[0]?.key).toBe(world.asked[1]?.key);
});
