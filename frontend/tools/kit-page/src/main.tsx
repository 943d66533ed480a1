import '@fontsource-variable/hanken-grotesk/index.css';
import '@portage/kit/styles.css';
import '@portage/kit/desk/styles.css';

import './texts.ts';
import { startI18n } from '@portage/i18n';
import { KitProvider } from '@portage/kit';
import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';

import { Page } from './page.tsx';

await startI18n(['kit', 'desk']);
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <KitProvider>
      <Suspense>
        <Page />
      </Suspense>
    </KitProvider>,
  );
