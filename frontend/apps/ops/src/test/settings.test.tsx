import { problem, saveSettings, type Setup } from '@portage/mock-api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('admin');
});

type User = ReturnType<typeof open>['user'];
type Kept = Setup['settings'][string];

const deposit = 'Deposit, % of the total';
const tipDelay = 'Tip charged after the move, hours';
const puts = () => desk.world.asked.filter((call) => call.method === 'PUT');
const keptOf = (group: string) => desk.world.setup.settings[group] as Kept;
const save = (user: User) => user.click(screen.getByRole('button', { name: 'Save' }));
async function write(user: User, label: string, text: string) {
  const input = await screen.findByLabelText(label);
  await user.clear(input);
  await user.type(input, text);
}

describe('a group of settings', () => {
  it('is in the address, and says that bookings keep what they were made with', async () => {
    const { user, router } = open('/settings');
    expect(await screen.findByLabelText('Company name')).toHaveValue('Portage');
    expect(
      screen.getByText('Changes hold for new bookings. Bookings that exist keep the settings they were made with.'),
    ).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Scheduling' }));
    expect(await screen.findByLabelText('First start of the day')).toHaveValue('08:00');
    expect(router.state.location.search).toEqual({ group: 'scheduling' });
  });

  it('says of each value where it comes from', async () => {
    saveSettings(keptOf('company'), { supportPhone: '514-555-0199' });
    const { user } = open('/settings?group=company');
    const phone = (await screen.findByLabelText('Telephone for customers (optional)')).closest('section');
    expect(within(phone as HTMLElement).getByText('saved here')).toBeVisible();
    expect(within(phone as HTMLElement).getByText('Default: 514-555-0100')).toBeVisible();
    expect(within(phone as HTMLElement).getByText('from the environment')).toBeVisible();
    // an empty default has nothing to say of itself
    expect(screen.queryByText('built in')).not.toBeInTheDocument();
    await user.click(screen.getByRole('tab', { name: 'Policy' }));
    await screen.findByLabelText(deposit);
    expect(screen.getAllByText('built in')).not.toHaveLength(0);
  });

  it('saves what was changed and nothing else, over the version that was read', async () => {
    const { user } = open('/settings?group=policy');
    await write(user, deposit, '25,5');
    expect(screen.getByText('not saved yet')).toBeVisible();
    await save(user);
    expect((await screen.findAllByText('Your changes are saved.'))[0]).toBeVisible();
    expect(puts()).toHaveLength(1);
    expect(puts()[0]).toMatchObject({ path: '/settings/policy', version: '"0"' });
    expect(puts()[0]?.body).toEqual({ values: { deposit: '0.255' } });
    expect(screen.getByLabelText(deposit)).toHaveValue('25.5');
    expect(await screen.findByText(/^Version 1, .*Ana Roy$/)).toBeVisible();
    await write(user, tipDelay, '48');
    await save(user);
    await waitFor(() => expect(puts()).toHaveLength(2));
    expect(puts()[1]).toMatchObject({ version: '"1"', body: { values: { deposit: '0.255', tipDelay: 48 } } });
  });

  it('uploads a logo, shows it, and names it when it is saved', async () => {
    let tries = 0;
    server.use(
      http.post('*/api/logos', () => {
        tries += 1;
        if (tries === 1) return problem(422, 'photo_damaged', 'This file is damaged.');
        return HttpResponse.json({ id: 'logo-7', url: '/api/logos/logo-7', width: 8, height: 8, bytes: 70 });
      }),
    );
    const { user } = open('/settings?group=company');
    expect(await screen.findByText('No logo: the name is shown.')).toBeVisible();
    const choose = (name: string) =>
      user.upload(screen.getByTestId('file-input'), new File(['x'], name, { type: 'image/png' }));
    await choose('bad.png');
    expect(await screen.findByText('The logo could not be uploaded')).toBeVisible();
    expect(screen.getByText('No logo: the name is shown.')).toBeVisible();
    await choose('good.png');
    expect(await screen.findByRole('img', { name: 'The logo as it will be shown' })).toHaveAttribute(
      'src',
      '/api/logos/logo-7',
    );
    expect(screen.queryByText('The logo could not be uploaded')).not.toBeInTheDocument();
    await save(user);
    await waitFor(() => expect(puts()).toHaveLength(1));
    expect(puts()[0]?.body).toEqual({ values: { logo: 'logo-7' } });
    await user.click(screen.getByRole('button', { name: 'Show no logo' }));
    expect(screen.getByText('No logo: the name is shown.')).toBeVisible();
  });

  it('follows its default again', async () => {
    saveSettings(keptOf('policy'), { deposit: '0.255', freeWindow: 12 });
    const { user } = open('/settings?group=policy');
    await user.click(await screen.findByRole('button', { name: `Follow the default: ${deposit}` }));
    expect(screen.getByLabelText(deposit)).toHaveValue('20');
    // the button that was pressed is gone
    expect(screen.getByLabelText(deposit)).toHaveFocus();
    expect(screen.getByText('follows its default once you save')).toBeVisible();
    await save(user);
    await waitFor(() => expect(puts()).toHaveLength(1));
    expect(puts()[0]).toMatchObject({ version: '"1"' });
    expect(puts()[0]?.body).toEqual({ values: { freeWindow: 12 } });
  });

  it('refuses a mistake at its input, and sends nothing', async () => {
    const { user } = open('/settings?group=policy');
    await write(user, 'Tries at the deposit, hours after it is due', '6, 24');
    await save(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Tries at the deposit, hours after it is due are at most five hours that rise from 0',
    );
    expect(puts()).toEqual([]);
  });

  it('shows a mistake that the server found at its input, and keeps what was typed', async () => {
    server.use(
      http.put('*/api/settings/:group', () =>
        problem(422, 'validation_failed', 'Please check.', {
          errors: [
            { field: 'values.provinces.QC.retention.afterFree', code: 'invalid', message: 'No more than is due.' },
            { field: 'values.depositRetry.3', code: 'invalid', message: 'Too late.' },
          ],
        }),
      ),
    );
    const { user } = open('/settings?group=policy');
    const quebec = within(await screen.findByRole('group', { name: 'Quebec' }));
    const share = quebec.getByLabelText('Kept after the free window, %');
    await user.clear(share);
    await user.type(share, '30');
    await save(user);
    const summary = await screen.findByRole('alert');
    expect(summary).toHaveTextContent('No more than is due.');
    expect(summary).toHaveTextContent('Too late.');
    expect(share).toHaveValue('30');
    expect(share).toBeInvalid();
    expect(screen.getByLabelText('Tries at the deposit, hours after it is due')).toBeInvalid();
    expect(quebec.getByText(/These shares are not confirmed yet/)).toBeVisible();
  });

  it('asks before what was typed is left for another group', async () => {
    const { user } = open('/settings?group=policy');
    await write(user, deposit, '25');
    await user.click(screen.getByRole('tab', { name: 'Company' }));
    await user.click(await screen.findByRole('button', { name: 'Stay here' }));
    expect(screen.getByLabelText(deposit)).toHaveValue('25');
  });

  it('is shown to dispatchers, who cannot change it', async () => {
    signedInAs('ops');
    open('/settings?group=policy');
    expect(await screen.findByLabelText(deposit)).toBeDisabled();
    expect(screen.getByText('Only administrators can change settings.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  it('says what failed, and asks again', async () => {
    server.use(http.get('*/api/settings/:group', () => problem(403, 'forbidden', 'Not for you.'), { once: true }));
    const { user } = open('/settings');
    expect(await screen.findByText('Not for you.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Company name')).toBeVisible();
  });
});

describe('what a colleague saved meanwhile', () => {
  const collide = async () => {
    const opened = open('/settings?group=policy');
    await write(opened.user, deposit, '25');
    saveSettings(keptOf('policy'), { deposit: '0.3', tipDelay: 48 }, 'Marc Roy');
    await save(opened.user);
    expect(await screen.findByText('Marc Roy saved version 1 meanwhile; yours is not saved')).toBeVisible();
    expect(screen.getByLabelText(deposit)).toHaveValue('25');
    return opened;
  };

  it('is gone on from with what was typed', async () => {
    const { user } = await collide();
    await user.click(screen.getByRole('button', { name: 'Keep what I typed' }));
    expect(screen.getByLabelText(deposit)).toHaveValue('25');
    expect(screen.getByLabelText(tipDelay)).toHaveValue('48');
    await save(user);
    await waitFor(() => expect(puts()).toHaveLength(2));
    expect(puts()[1]).toMatchObject({ version: '"1"' });
    expect(puts()[1]?.body).toEqual({ values: { deposit: '0.25', tipDelay: 48 } });
  });

  it('is loaded alone when that is asked for', async () => {
    const { user } = await collide();
    await user.click(screen.getByRole('button', { name: 'Load what is saved now' }));
    expect(screen.getByLabelText(deposit)).toHaveValue('30');
    expect(screen.queryByText('not saved yet')).toBeNull();
  });

  it('is told as it came when it cannot be read', async () => {
    const { user } = open('/settings?group=policy');
    await write(user, deposit, '25');
    server.use(
      http.put('*/api/settings/:group', () => problem(412, 'version_conflict', 'Changed meanwhile.')),
      http.get('*/api/settings/:group', () => HttpResponse.error()),
    );
    await save(user);
    expect(await screen.findByText('Changed meanwhile.')).toBeVisible();
    expect(screen.getByLabelText(deposit)).toHaveValue('25');
  });
});

describe('the versions', () => {
  it('say that there are none', async () => {
    open('/settings?group=scheduling');
    expect(await screen.findByText(/^Nobody has saved anything here/)).toBeVisible();
  });

  it('are used again once they are looked over and saved', async () => {
    saveSettings(keptOf('policy'), { deposit: '0.3' });
    saveSettings(keptOf('policy'), { deposit: '0.1', tipDelay: 12 }, null);
    const { user } = open('/settings?group=policy');
    const list = within(
      (await screen.findByRole('heading', { level: 2, name: 'What was saved, and by whom' })).closest(
        'section',
      ) as HTMLElement,
    );
    expect(await list.findByText('in use now')).toBeVisible();
    expect(list.getByText(/^Version 2, [^,]*, \d{4}, \d+:00.a\.m\.$/)).toBeVisible();
    await user.click(list.getByRole('button', { name: 'Use these values again: version 1' }));
    expect(await screen.findByText(/^The values of version 1 stand in the form/)).toBeVisible();
    expect(screen.getByLabelText(deposit)).toHaveValue('30');
    expect(screen.getByLabelText(tipDelay)).toHaveValue('24');
    expect(puts()).toEqual([]);
    await save(user);
    await waitFor(() => expect(puts()).toHaveLength(1));
    expect(puts()[0]).toMatchObject({ version: '"2"' });
    expect(puts()[0]?.body).toEqual({ values: { deposit: '0.3' } });
  });

  it('lead back to the defaults', async () => {
    saveSettings(keptOf('company'), { name: 'Déménagements Roy' });
    const { user } = open('/settings');
    await user.click(await screen.findByRole('button', { name: 'Use these values again: version 0' }));
    expect(screen.getByLabelText('Company name')).toHaveValue('Portage');
    await save(user);
    await waitFor(() => expect(puts()).toHaveLength(1));
    expect(puts()[0]?.body).toEqual({ values: {} });
  });
});
