import { createLazyRoute } from '@tanstack/react-router';

import { ResetPasswordPage } from '../features/identity/reset-password-page.tsx';

export const Route = createLazyRoute('/site/resetpassword')({ component: ResetPasswordPage });
