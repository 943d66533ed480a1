import { Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useTranslation } from 'react-i18next';

import classes from './settings.module.css';
import type { Conflict } from './use-settings-form.ts';

/** Says that a colleague was first. What was typed stands below it, and stays there. */
export function ConflictNotice({ conflict }: { conflict: Conflict }) {
  const { t } = useTranslation(['settings', 'catalogue', 'person']);
  const { version, by } = conflict;
  return (
    <Notice
      tone="warning"
      live
      title={by === null ? t('conflict.title', { version }) : t('conflict.titleBy', { version, name: by })}
      action={
        <div className={classes['buttons']}>
          <DeskButton variant="primary" onClick={conflict.keep}>
            {t('catalogue:conflict.keep')}
          </DeskButton>
          <DeskButton onClick={conflict.drop}>{t('person:conflict.again')}</DeskButton>
        </div>
      }
    >
      {t('catalogue:conflict.text')}
    </Notice>
  );
}
