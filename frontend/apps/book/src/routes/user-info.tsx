import { createLazyRoute } from '@tanstack/react-router';

import { UserInfoPage } from '../features/profile/user-info-page.tsx';

export const Route = createLazyRoute('/account/user-info')({ component: UserInfoPage });
