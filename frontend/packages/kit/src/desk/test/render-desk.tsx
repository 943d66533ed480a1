import '../../texts.ts';
import '../texts.ts';
import { changeLanguage, i18next, startI18n } from '@portage/i18n';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, Suspense } from 'react';
import { beforeAll, beforeEach } from 'vitest';

import { KitProvider } from '../../provider.tsx';

/** Loads the texts before the tests of the file, and starts each of them in English. */
export function useTexts(): void {
  beforeAll(async () => {
    await startI18n(['kit', 'desk']);
    await i18next.loadLanguages(['en', 'fr', 'zh']);
  });
  beforeEach(async () => {
    localStorage.clear();
    await changeLanguage('en');
  });
}

export function renderDesk(content: ReactNode) {
  const wrap = (inner: ReactNode) => (
    <KitProvider test>
      <Suspense>{inner}</Suspense>
    </KitProvider>
  );
  const view = render(wrap(content));
  return { ...view, again: (next: ReactNode) => view.rerender(wrap(next)), user: userEvent.setup() };
}
