import { createLazyRoute } from '@tanstack/react-router';

import { ForgotPasswordPage } from '../features/identity/forgot-password-page.tsx';

export const Route = createLazyRoute('/site/forgotpassword')({ component: ForgotPasswordPage });
