import { createLazyRoute } from '@tanstack/react-router';

import { AccountSections } from '../features/identity/account-sections.tsx';
import { SettingsPage } from '../features/profile/settings-page.tsx';

// the account belongs to one feature and the page to another: they meet here
function Settings() {
  return <SettingsPage renderAccount={(profile) => <AccountSections profile={profile} />} />;
}

export const Route = createLazyRoute('/account/profile/settings')({ component: Settings });
