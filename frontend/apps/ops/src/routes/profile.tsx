import { createLazyRoute } from '@tanstack/react-router';

import { ProfilePage } from '../features/profile/profile-page.tsx';

export const Route = createLazyRoute('/desk/profile')({ component: ProfilePage });
