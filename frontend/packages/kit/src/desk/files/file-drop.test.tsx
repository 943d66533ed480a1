import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';

import { renderDesk, useTexts } from '../test/render-desk.tsx';
import { checkFiles, sizeUnit } from './check-files.ts';
import type { FileItem } from './chosen-files.tsx';
import { FileDrop } from './file-drop.tsx';

useTexts();

function file(name: string, size: number, type = ''): File {
  const made = new File(['x'], name, { type });
  Object.defineProperty(made, 'size', { value: size });
  return made;
}
const rules = { accept: ['.pdf', 'image/*'], maxBytes: 10_000_000, maxFiles: 3 };
const added = vi.fn();

function Drop({ first = [] }: { first?: FileItem[] }) {
  const [files, setFiles] = useState(first);
  return (
    <FileDrop
      label="Documents"
      kinds="PDF or photo"
      {...rules}
      files={files}
      onAdd={(list) => {
        added(list.map((one) => one.name));
        setFiles([
          ...files,
          ...list.map((one) => ({ key: one.name, name: one.name, size: one.size, state: 'waiting' as const })),
        ]);
      }}
      onRemove={(key) => setFiles(files.filter((one) => one.key !== key))}
      onRetry={added}
    />
  );
}
const item = (name: string, more: Partial<FileItem> = {}): FileItem => ({
  key: name,
  name,
  size: 1000,
  state: 'done',
  ...more,
});

it('parts files by kind, size, count and name', () => {
  const { taken, refused } = checkFiles(
    [
      file('A.PDF', 5),
      file('photo', 5, 'image/jpeg'),
      file('a.docx', 5),
      file('big.pdf', 10_000_001),
      file('empty.pdf', 0),
      file('A.PDF', 5),
      file('one-too-many.pdf', 5),
    ],
    rules,
    [{ name: 'there.pdf', size: 1 }],
  );
  expect(taken.map((one) => one.name)).toEqual(['A.PDF', 'photo']);
  expect(refused.map((one) => one.reason)).toEqual(['type', 'size', 'empty', 'twice', 'count']);
});

it('names sizes as file managers do', () => {
  expect([sizeUnit(999), sizeUnit(1500), sizeUnit(999_999)]).toEqual([
    { value: 999, unit: 'byte' },
    { value: 1.5, unit: 'kilobyte' },
    { value: 0.999999, unit: 'megabyte' },
  ]);
});

it('asks for files with a button that says what it takes', async () => {
  const { user } = renderDesk(<Drop />);
  const button = screen.getByRole('button', { name: 'Choose files Documents' });
  expect(button).toHaveAccessibleDescription('PDF or photo, up to 10 MB each, 3 files at most');
  const input = screen.getByTestId('file-input');
  const pressed = vi.spyOn(input, 'click');
  button.focus();
  await user.keyboard('{Enter}');
  expect(pressed).toHaveBeenCalledOnce();
  expect(input).toHaveAttribute('accept', '.pdf,image/*');
});

it('takes what is dropped, and refuses in words', () => {
  added.mockClear();
  renderDesk(<Drop />);
  const field = screen.getByTestId('file-input').parentElement as HTMLElement;
  const dropped = { types: ['Files'], files: [file('good.pdf', 5), file('bad.docx', 5), file('big.pdf', 12_400_000)] };
  fireEvent.dragEnter(field, { dataTransfer: dropped });
  expect(screen.getByText('Let go to add them')).toBeVisible();
  fireEvent.drop(field, { dataTransfer: dropped });
  expect(added).toHaveBeenCalledExactlyOnceWith(['good.pdf']);
  expect(screen.getByRole('alert')).toHaveTextContent('bad.docx is of another kind. Choose: PDF or photo.');
  expect(screen.getByRole('alert')).toHaveTextContent('big.pdf is too large: 12.4 MB, and 10 MB is the most.');
  fireEvent.drop(field, { dataTransfer: { types: ['Files'], files: [file('fine.pdf', 5)] } });
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

it('takes a new choice instead of the one that is there, where there can be one only', () => {
  added.mockClear();
  renderDesk(
    <FileDrop
      label="List"
      kinds="CSV"
      accept={['.csv']}
      maxBytes={100}
      maxFiles={1}
      files={[item('list.csv', { size: 5 })]}
      onAdd={(list) => added(list.map((one) => one.name))}
      onRemove={() => undefined}
    />,
  );
  const input = screen.getByTestId('file-input');
  // the corrected file has the name of the first one, and maybe its size
  fireEvent.change(input, { target: { files: [file('list.csv', 5)] } });
  expect(added).toHaveBeenLastCalledWith(['list.csv']);
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  // of several that are dropped at once none is the one that is meant, but the first
  const field = input.parentElement as HTMLElement;
  fireEvent.drop(field, { dataTransfer: { types: ['Files'], files: [file('a.csv', 5), file('b.csv', 5)] } });
  expect(added).toHaveBeenLastCalledWith(['a.csv']);
  expect(screen.getByRole('alert')).toHaveTextContent('b.csv was not added: 1 file at most.');
});

it('shows how far each file is, and what to do about one that failed', async () => {
  const { user } = renderDesk(
    <Drop
      first={[
        item('a.pdf', { state: 'sending', progress: 0.42 }),
        item('b.pdf', { state: 'sending' }),
        item('c.pdf', { state: 'failed', problem: 'The connection broke off.' }),
      ]}
    />,
  );
  expect(screen.getByRole('progressbar', { name: 'Sending a.pdf' })).toHaveAttribute('aria-valuenow', '42');
  expect(screen.getByRole('progressbar', { name: 'Sending b.pdf' })).not.toHaveAttribute('aria-valuenow');
  expect(screen.getByText('The connection broke off.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again: c.pdf' }));
  expect(added).toHaveBeenLastCalledWith('c.pdf');
});

it('moves the focus on when a file is removed', async () => {
  const { user } = renderDesk(<Drop first={[item('a.pdf'), item('b.pdf')]} />);
  await user.click(screen.getByRole('button', { name: 'Remove a.pdf' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Remove b.pdf' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: /Choose files/ })).toHaveFocus());
  expect(screen.getByTestId('announcer')).toHaveTextContent('b.pdf removed');
});
