// @alone: a page that another file has left behind would be the first one of the visit
import { render, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';

beforeEach(() => vi.resetModules());

const heading = () => screen.getByRole('heading', { level: 1, name: 'Confirm and pay' });

async function openDocument(goesOn: boolean) {
  const { PageHeading, headingsGoOn } = await import('./page-heading.tsx');
  if (goesOn) headingsGoOn();
  return render(<PageHeading title="Confirm and pay" />);
}

it('leaves the focus at the begin of the first page of a visit', async () => {
  await openDocument(false);
  expect(heading()).toBeVisible();
  expect(document.body).toHaveFocus();
});

it('has the focus on the first page of a document that goes on with a visit', async () => {
  await openDocument(true);
  expect(heading()).toHaveFocus();
});

it('takes the focus from nobody who was quicker than the page', async () => {
  const field = document.body.appendChild(document.createElement('input'));
  field.focus();
  await openDocument(true);
  expect(field).toHaveFocus();
  field.remove();
});
