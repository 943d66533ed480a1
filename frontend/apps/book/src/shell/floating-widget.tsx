import { Button } from '@mantine/core';
import { LanguageMenu, SchemeButton } from '@portage/frame';
import { BusyButton } from '@portage/kit';
import { IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './floating-widget.module.css';
import { useReturnTo } from './return-to.ts';
import { signIn, useSession } from './session.ts';

/** Bottom left: language, colours, and the way to one's profile or to signing in. */
export function FloatingWidget() {
  const returnTo = useReturnTo();
  const { t } = useTranslation(['common', 'shell']);
  const session = useSession();
  return (
    <div className={classes['root']} role="region" aria-label={t('widget.label')}>
      <LanguageMenu className={classes['button'] ?? ''} />
      <SchemeButton className={classes['button'] ?? ''} />
      {session.status === 'signedIn' ? (
        <Button
          component={Link}
          to="/profile"
          variant="subtle"
          color="gray"
          className={classes['button'] ?? ''}
          leftSection={<IconUser size={18} stroke={1.75} aria-hidden />}
        >
          {t('shell:widget.profile')}
        </Button>
      ) : (
        <BusyButton
          variant="subtle"
          color="gray"
          className={classes['button'] ?? ''}
          loading={session.status === 'restoring'}
          leftSection={<IconUser size={18} stroke={1.75} aria-hidden />}
          onClick={() => void signIn(returnTo)}
        >
          {t('action.signIn')}
        </BusyButton>
      )}
    </div>
  );
}
