import { createLazyRoute } from '@tanstack/react-router';

import { SettingsPage } from '../features/profile/settings-page.tsx';

export const Route = createLazyRoute('/account/profile/settings')({ component: SettingsPage });
