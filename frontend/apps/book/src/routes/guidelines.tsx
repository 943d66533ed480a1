import { createLazyRoute } from '@tanstack/react-router';

import { GuidelinesPage } from '../features/guidelines/guidelines-page.tsx';

export const Route = createLazyRoute('/wizard/guidelines')({ component: GuidelinesPage });
