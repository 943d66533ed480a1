import type { OwnProfile } from '@portage/api';
import { useConfig } from '@portage/frame';

import { EmailSection } from './email-section.tsx';
import { PasswordSection } from './password-section.tsx';

/** What the account itself has to set: the e-mail address and, where we keep the passwords, the password. */
export function AccountSections({ profile }: { profile: OwnProfile }) {
  const config = useConfig();
  // passwords are the embedded provider's; an external one has its own pages for them
  const embedded = config?.signIn.provider === 'embedded';
  return (
    <>
      <EmailSection profile={profile} embedded={embedded} />
      {embedded ? <PasswordSection /> : null}
    </>
  );
}
