import type { TemplateRow } from '@portage/api';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { desk, open, server, signedInAs, useDesk } from './render-desk.tsx';

useDesk();
beforeEach(() => {
  signedInAs('ops');
});

type User = ReturnType<typeof open>['user'];
const asked = (method: string) => desk.world.asked.filter((call) => call.method === method);
const save = (user: User) => user.click(screen.getByRole('button', { name: 'Save' }));
const opened = async (language = 'en') => {
  const app = open(`/templates/welcome/${language}`);
  return { ...app, html: await screen.findByLabelText<HTMLTextAreaElement>('HTML') };
};
const frame = () => screen.findByTitle<HTMLIFrameElement>('The message as it will look');

describe('the list of messages', () => {
  it('says whose words each language has, and leads to them', async () => {
    const { user, router } = open('/templates');
    expect(await screen.findByRole('link', { name: 'Welcome, Français' })).toHaveTextContent('Shipped text');
    expect(screen.getByRole('link', { name: 'Welcome, 中文' })).toHaveTextContent('No text yet');
    await user.click(screen.getByRole('link', { name: 'Welcome, Français' }));
    expect(await screen.findByRole('heading', { name: 'Welcome · Français', level: 1 })).toBeVisible();
    expect(router.state.location.pathname).toBe('/templates/welcome/fr');
  });

  it('says which document goes along', async () => {
    const { data } = (await (await fetch('/api/templates')).json()) as { data: TemplateRow[] };
    const of = (messageType: string, document: TemplateRow['document']) =>
      data.map((row) => ({ ...row, messageType, document: document ?? null }));
    server.use(
      http.get('*/api/templates', () =>
        HttpResponse.json({ data: [...of('bookingConfirmation', 'contract'), ...of('invoiceSent', 'invoice')] }),
      ),
    );
    open('/templates');
    const row = async (cell: string) => (await screen.findByText(cell)).closest('tr');
    expect(await row('The contract')).toHaveTextContent('Booking confirmed');
    expect(await row('The invoice')).toHaveTextContent('Invoice');
  });

  it('knows no other language', async () => {
    open('/templates/welcome/de');
    expect(await screen.findByRole('heading', { level: 1, name: /does not exists/ })).toBeVisible();
  });
});

describe('the editor', () => {
  it('inserts a key where the cursor was, by keyboard alone', async () => {
    const { user, html } = await opened();
    html.focus();
    html.setSelectionRange(3, 3);
    await user.keyboard('{Control>} {/Control}');
    expect(screen.getByLabelText('Find a key')).toHaveFocus();
    await user.keyboard('company{Enter}');
    expect(html.value.startsWith('<p>{{companyName}}Hello')).toBe(true);
    expect(html).toHaveFocus();
  });

  it('shows the message as it is typed in a frame that runs nothing', async () => {
    const { user, html } = await opened();
    expect((await frame()).getAttribute('sandbox')).toBe('');
    await user.type(html, 'Bye');
    await waitFor(async () => expect((await frame()).srcdoc).toContain('Hello Camille'));
    await waitFor(async () => expect((await frame()).srcdoc).toContain('Bye'));
    await user.click(screen.getByRole('tab', { name: 'Phone width' }));
    expect(await frame()).toHaveAttribute('data-view', 'phone');
  });

  it('names unsupported keys, and uploads anyway', async () => {
    const { user, html } = await opened();
    await user.type(html, '{{{{nickname}}');
    await save(user);
    const question = await screen.findByRole('dialog', { name: 'This message does not have these keys' });
    expect(within(question).getByText('nickname')).toBeVisible();
    expect(desk.world.templates.saved['en']).toHaveLength(0);
    await user.click(within(question).getByRole('button', { name: 'Upload Anyway' }));
    expect(await screen.findByText('Your own text is sent.')).toBeVisible();
    expect(asked('PUT').map(({ version, body }) => [version, (body as { force: boolean }).force])).toEqual([
      ['"0"', false],
      ['"0"', true],
    ]);
  });

  it('takes a file, sends a trial, and restores the shipped text', async () => {
    const { user, html } = await opened();
    const file = new File(['<p>From a file</p>'], 'welcome.html', { type: 'text/html' });
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement, file);
    await waitFor(() => expect(html).toHaveValue('<p>From a file</p>'));
    await user.click(screen.getByRole('button', { name: 'Send to myself' }));
    expect(await screen.findByText('On its way to ana@example.test')).toBeVisible();
    expect(asked('POST').at(-1)?.body).toMatchObject({ html: '<p>From a file</p>', bookingId: null });
    await save(user);
    await user.click(await screen.findByRole('button', { name: 'Restore the shipped text' }));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Restore the shipped text' }),
    );
    expect(await screen.findByText('The text that came with Portage is sent.')).toBeVisible();
    expect(screen.getByLabelText('HTML')).toHaveValue(
      '<p>Hello {{customerFirstName}}</p>\n<p><a href="{{loginUrl}}">Account</a></p>\n',
    );
  });

  it('refuses a file that is too large before it is read', async () => {
    const { user, html } = await opened();
    const before = html.value;
    const file = new File([new Uint8Array(5 * 1024 * 1024)], 'photo.html', { type: 'text/html' });
    const read = vi.spyOn(file, 'text');
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement, file);
    expect(
      await screen.findByText('photo.html has 5,120 KB, a message takes 256 KB at most. Nothing was changed.'),
    ).toBeVisible();
    expect(read).not.toHaveBeenCalled();
    expect(html).toHaveValue(before);
  });

  it('lets the plain text be scrolled by keyboard', async () => {
    const { user } = await opened();
    await user.click(await screen.findByRole('tab', { name: 'Text only' }));
    expect(screen.getByRole('region', { name: 'Text only' })).toHaveAttribute('tabindex', '0');
  });

  it('compares a version with what stands in the form, and takes it up again', async () => {
    const { user, html } = await opened();
    await user.clear(html);
    await user.type(html, 'Mine');
    await user.click(screen.getByRole('button', { name: 'Compare: The text that came with Portage' }));
    const difference = await screen.findByRole('region', { name: 'HTML' });
    expect(difference).toHaveTextContent('− <p>Hello {{customerFirstName}}</p>');
    expect(difference).toHaveTextContent('+ Mine');
    await user.click(screen.getByRole('button', { name: 'Take these words' }));
    expect(html.value).toContain('Hello {{customerFirstName}}');
  });
});

describe('the editor of a text', () => {
  it('has plain words alone, and counts the parts it is billed as', async () => {
    const { user } = open('/templates/sms-moveReminder/en');
    expect(
      await screen.findByRole('heading', { name: 'Text: Reminder of the move · English', level: 1 }),
    ).toBeVisible();
    expect(screen.queryByLabelText('HTML')).toBeNull();
    expect(screen.queryByLabelText('Subject line')).toBeNull();
    const text = screen.getByLabelText<HTMLTextAreaElement>('Plain text');
    expect(await screen.findByText(/Parts billed: 1\. .*short alphabet/)).toBeVisible();
    expect(screen.getByTestId('text-preview')).toHaveTextContent('Reminder: your move is on March 18, 2027.');
    await user.type(text, ' 提醒');
    expect(await screen.findByText(/Parts billed: 2\. .*long alphabet/)).toBeVisible();
    text.focus();
    await user.keyboard('{Control>} {/Control}customer{Enter}');
    expect(text.value).toContain('{{customer_name}}');
    await save(user);
    expect(await screen.findByText('Your own text is sent.')).toBeVisible();
    expect(asked('PUT').at(-1)?.body).toMatchObject({ subject: '', html: '', text: text.value });
    await user.click(screen.getByRole('button', { name: 'Text to myself' }));
    expect(await screen.findByText('On its way to +15145550101')).toBeVisible();
  });
});
