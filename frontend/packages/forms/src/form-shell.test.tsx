import { ApiProblem } from '@portage/api';
import { startI18n } from '@portage/i18n';
import { KitProvider, TextField } from '@portage/kit';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';

import { AlreadySaid } from './already-said.ts';
import { FormShell } from './form-shell.tsx';
import { type FormShellOptions, useFormShell } from './use-form-shell.ts';

const schema = z.object({
  name: z.string().check(z.minLength(1, 'A name is needed.')),
  town: z.string().check(z.minLength(1, 'A town is needed.')),
});
type Values = z.infer<typeof schema>;
type Options = Partial<FormShellOptions<Values, unknown>>;

const labels = { name: 'Name', town: 'Town' };
const empty: Values = { name: '', town: '' };
const full: Values = { name: 'Ana', town: 'Laval' };

function Form({ options, after }: { options: Options; after?: ReactNode }) {
  const shell = useFormShell<Values, unknown>({
    schema,
    labels,
    ...(options.kept ? {} : { defaultValues: full }),
    ...options,
  } as FormShellOptions<Values, unknown>);
  return (
    <FormShell shell={shell} submitLabel="Send" takenText="It was taken.">
      <TextField control={shell.form.control} name="name" label={labels.name} />
      <TextField control={shell.form.control} name="town" label={labels.town} />
      {after}
    </FormShell>
  );
}

function show(options: Options) {
  const draw = (now: Options) => (
    <KitProvider>
      <Form options={now} />
    </KitProvider>
  );
  const view = render(draw(options));
  return { user: userEvent.setup(), change: (now: Options) => view.rerender(draw(now)) };
}

const send = () => screen.getByRole('button', { name: 'Send' });
const lines = () => [...screen.getByRole('alert').querySelectorAll('li')].map((line) => line.textContent);
const refusal = (fieldErrors: { field: string; code: string; message: string }[] = []) =>
  new ApiProblem({ status: 422, code: 'refused', detail: 'Not like this.', fieldErrors });

beforeAll(() => startI18n([]));

describe('what is wrong', () => {
  it('with a field that is left by a press is said after the press, which nothing moves', async () => {
    const { user } = show({ kept: undefined, defaultValues: full });
    const name = screen.getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.pointer({ target: screen.getByRole('textbox', { name: 'Town' }), keys: '[MouseLeft>]' });
    await new Promise((done) => setTimeout(done, 100));
    expect(screen.queryByText('A name is needed.')).toBeNull();
    await user.pointer({ keys: '[/MouseLeft]' });
    expect(await screen.findByText('A name is needed.')).toBeVisible();
  });

  it('is listed, the list takes the focus, and nothing is sent', async () => {
    const sent = vi.fn(async () => null);
    const { user } = show({ defaultValues: empty, send: sent });
    await user.click(send());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
    expect(lines()).toEqual(['A name is needed.', 'A town is needed.']);
    expect(sent).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText('Name'), 'Ana');
    expect(lines()).toEqual(['A town is needed.']);
  });

  it('takes the focus itself where the whole form is in sight', async () => {
    const { user } = show({ defaultValues: { ...full, town: '' }, leadTo: 'field' });
    await user.click(send());
    await waitFor(() => expect(screen.getByLabelText('Town')).toHaveFocus());
    expect(screen.getByLabelText('Town')).toHaveAccessibleDescription('A town is needed.');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('waits for the submit where a form is often passed by', async () => {
    const { user } = show({ defaultValues: empty, check: 'onSubmit' });
    await user.click(screen.getByLabelText('Name'));
    await user.tab();
    expect(screen.queryByText('A name is needed.')).toBeNull();
  });
});

describe('a summary whose causes are mended', () => {
  it('is over: what goes wrong later is said at its field, and the focus stays where one types', async () => {
    const { user } = show({ defaultValues: { ...full, name: '' } });
    await user.click(send());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
    const name = screen.getByLabelText('Name');
    await user.type(name, 'A');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    await user.clear(name);
    await waitFor(() => expect(name).toHaveAccessibleDescription('A name is needed.'));
    expect(name).toHaveFocus();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('does not come back with an obstacle that nobody has run into again', async () => {
    const obstacles = [{ key: 'price', text: 'The price is on its way.' }];
    const { user, change } = show({ obstacles });
    await user.click(send());
    await waitFor(() => expect(lines()).toEqual(['The price is on its way.']));
    change({ obstacles: [] });
    expect(screen.queryByRole('alert')).toBeNull();
    change({ obstacles });
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(send());
    await waitFor(() => expect(lines()).toEqual(['The price is on its way.']));
  });
});

describe('a refusal of the server', () => {
  it('goes to the field it names', async () => {
    const { user } = show({
      send: () => Promise.reject(refusal([{ field: 'town', code: 'unknown', message: 'No such town.' }])),
    });
    await user.click(send());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
    expect(lines()).toEqual(['No such town.']);
    expect(screen.getByLabelText('Town')).toHaveAccessibleDescription('No such town.');
  });

  it('goes to the field the form knows it is about, which takes the focus', async () => {
    const { user } = show({
      leadTo: 'field',
      send: () => Promise.reject(refusal()),
      fieldsOf: () => [{ field: 'name', message: 'Taken already.' }],
    });
    await user.click(send());
    await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus());
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Taken already.');
  });

  it('is said beside the button when it names none, and is gone with the next try', async () => {
    const answers = [() => Promise.reject(refusal()), async () => null];
    const { user } = show({ send: () => answers.shift()?.() ?? Promise.resolve(null) });
    await user.click(send());
    expect(await screen.findByText('Not like this.')).toBeVisible();
    // the button was locked meanwhile, and has lost the focus
    expect(document.body).not.toHaveFocus();
    expect(document.activeElement).toContainElement(screen.getByRole('alert'));
    await user.click(send());
    expect(await screen.findByText('It was taken.')).toBeVisible();
    expect(screen.getByText('It was taken.').closest('[role="status"]')).toHaveFocus();
    expect(screen.queryByText('Not like this.')).toBeNull();
  });

  it('says that it was taken until something is changed, and takes no focus from who types', async () => {
    const { user } = show({ send: async () => null });
    await user.click(send());
    expect(await screen.findByText('It was taken.')).toBeVisible();
    const town = screen.getByLabelText('Town');
    await user.type(town, 'x{Backspace}');
    expect(town).toHaveFocus();
    expect(screen.queryByText('It was taken.')).toBeNull();
  });

  it('is a line of the summary in the words of the form', async () => {
    const { user } = show({ send: () => Promise.reject(refusal()), sayRefusal: ({ detail }) => `Sorry: ${detail}` });
    await user.click(send());
    await waitFor(() => expect(screen.getByRole('alert')).toHaveFocus());
    expect(lines()).toEqual(['Sorry: Not like this.']);
  });

  it('is not repeated when it has been said already', async () => {
    const { user } = show({ send: () => Promise.reject(new AlreadySaid()) });
    await user.click(send());
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText('It was taken.')).toBeNull();
  });
});

it('sends once, however often it is pressed', async () => {
  let answer = () => {};
  const sent = vi.fn(() => new Promise<void>((done) => (answer = done)));
  const { user } = show({ send: sent });
  await user.dblClick(send());
  await user.click(send());
  act(() => answer());
  expect(await screen.findByText('It was taken.')).toBeVisible();
  expect(sent).toHaveBeenCalledTimes(1);
});

describe('what is in the way besides the fields', () => {
  const rain = { key: 'rain', text: 'It rains.' };
  const snow = { key: 'snow', text: 'It snows.' };

  it('stops the form, and is named for as long as it holds', async () => {
    const sent = vi.fn(async () => null);
    const { user, change } = show({ send: sent, obstacles: [rain] });
    await user.click(send());
    expect(lines()).toEqual(['It rains.']);
    expect(sent).not.toHaveBeenCalled();
    change({ send: sent, obstacles: [rain, snow] });
    expect(lines()).toEqual(['It rains.']);
    change({ send: sent, obstacles: [snow] });
    expect(screen.queryByRole('alert')).toBeNull();
    change({ send: sent, obstacles: [] });
    await user.click(send());
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
  });

  it('is decided by what is being worked out, when the press comes before it', async () => {
    const sent = vi.fn(async () => null);
    const { user, change } = show({ send: sent, settling: true });
    await user.click(send());
    expect(sent).not.toHaveBeenCalled();
    change({ send: sent, settling: false, obstacles: [rain] });
    await waitFor(() => expect(lines()).toEqual(['It rains.']));
    expect(sent).not.toHaveBeenCalled();
  });
});

describe('values that are kept elsewhere', () => {
  function Kept({ from }: { from: Values }) {
    const [values, keep] = useState(from);
    return (
      <Form
        options={{ kept: { values, keep } }}
        after={
          <>
            <p data-testid="kept">{`${values.name}/${values.town}`}</p>
            <button type="button" onClick={() => keep({ ...values, town: 'Longueuil' })}>
              From elsewhere
            </button>
          </>
        }
      />
    );
  }

  it('are the same in both places, whoever changes them', async () => {
    const user = userEvent.setup();
    render(
      <KitProvider>
        <Kept from={full} />
      </KitProvider>,
    );
    await user.type(screen.getByLabelText('Name'), ' Roy');
    expect(screen.getByTestId('kept')).toHaveTextContent('Ana Roy/Laval');
    await user.click(screen.getByRole('button', { name: 'From elsewhere' }));
    expect(screen.getByLabelText('Town')).toHaveValue('Longueuil');
    expect(screen.getByLabelText('Name')).toHaveValue('Ana Roy');
  });

  it('leave the summary when the change from elsewhere mends them', async () => {
    const user = userEvent.setup();
    render(
      <KitProvider>
        <Kept from={empty} />
      </KitProvider>,
    );
    await user.click(send());
    expect(lines()).toEqual(['A name is needed.', 'A town is needed.']);
    await user.click(screen.getByRole('button', { name: 'From elsewhere' }));
    await waitFor(() => expect(lines()).toEqual(['A name is needed.']));
  });
});
