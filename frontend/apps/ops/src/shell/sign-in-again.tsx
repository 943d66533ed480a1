import { Button, Modal } from '@mantine/core';
import { leaveGuard } from '@portage/frame';
import { useTranslation } from 'react-i18next';

import classes from './sign-in-again.module.css';

interface SignInAgainProps {
  /** The account that the typed things belong to. */
  email: string;
  /** Somebody else is signed in now. */
  stranger: boolean;
  onDrop: () => void;
}

/** Path of the page that the small window ends on. */
export const signedInAgainPath = '/dashboard/signed-in';

/**
 * Covers the page of a session that has ended, and lets its person sign in again in a window of its own. This tab hears
 * of that from the session itself and goes on.
 */
export function SignInAgain({ email, stranger, onDrop }: SignInAgainProps) {
  const { t } = useTranslation('shell');
  return (
    <Modal.Root opened onClose={() => {}} centered zIndex={1000} closeOnEscape={false} closeOnClickOutside={false}>
      <Modal.Overlay backgroundOpacity={1} className={classes['cover'] ?? ''} />
      <Modal.Content radius="lg">
        <Modal.Body className={classes['box'] ?? ''}>
          <Modal.Title className={classes['title'] ?? ''}>{t('again.title')}</Modal.Title>
          <p role="alert">{stranger ? t('again.other', { email }) : t('again.text')}</p>
          <div className={classes['actions']}>
            <Button component="a" href={signedInAgainPath} target="_blank" rel="opener" data-autofocus>
              {t('again.open')}
            </Button>
            <Button
              variant="default"
              onClick={() => {
                leaveGuard.suspend();
                onDrop();
              }}
            >
              {t('again.drop')}
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
