import { createLazyRoute } from '@tanstack/react-router';

import { ConfirmationPage } from '../features/confirmation/confirmation-page.tsx';

export const Route = createLazyRoute('/site/confirmation')({ component: ConfirmationPage });
