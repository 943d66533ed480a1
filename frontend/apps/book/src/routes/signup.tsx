import { createLazyRoute } from '@tanstack/react-router';

import { SignUpPage } from '../features/identity/sign-up-page.tsx';

export const Route = createLazyRoute('/site/signup')({ component: SignUpPage });
