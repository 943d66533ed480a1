import { createLazyRoute } from '@tanstack/react-router';

import { CallbackPage } from '../app/auth/callback-page.tsx';

export const Route = createLazyRoute('/site/callback')({ component: CallbackPage });
