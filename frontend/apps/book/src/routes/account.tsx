import { createLazyRoute } from '@tanstack/react-router';

import { AccountLayout } from '../features/account/account-layout.tsx';

export const Route = createLazyRoute('/account')({ component: AccountLayout });
