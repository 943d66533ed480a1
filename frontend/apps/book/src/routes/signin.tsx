import { createLazyRoute } from '@tanstack/react-router';

import { SignInPage } from '../features/identity/sign-in-page.tsx';

export const Route = createLazyRoute('/site/signin')({ component: SignInPage });
