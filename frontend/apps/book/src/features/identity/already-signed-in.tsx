import { Button } from '@mantine/core';
import { Notice } from '@portage/kit';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { signOut, useSession } from '../../shell/session.ts';
import classes from './account-page.module.css';

/** Above a form for getting in: who is in already, and where to go instead. Nothing for anybody else. */
export function AlreadySignedIn() {
  const { t } = useTranslation(['identity', 'common', 'shell']);
  const session = useSession();
  if (session.status !== 'signedIn') return null;
  return (
    <div className={classes['notice']}>
      <Notice
        action={
          <div style={{ display: 'flex', gap: 12, flexWrap: 'wrap' }}>
            <Button component={Link} to="/profile">
              {t('shell:widget.profile')}
            </Button>
            <Button variant="default" onClick={() => void signOut()}>
              {t('common:action.signOut')}
            </Button>
          </div>
        }
      >
        {t('identity:signIn.already', { name: session.user.email ?? session.user.name ?? '' })}
      </Notice>
    </div>
  );
}
