import { formatItems, useLanguage } from '@portage/i18n';
import { leadBeside, Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import type { LeftOut } from './left-out.ts';
import classes from './left-out-notice.module.css';

/** Says above a list what of its address it leaves out, and takes that out of the address. */
export function LeftOutNotice({ of: { names, without } }: { of: LeftOut }) {
  const { t } = useTranslation('shell');
  const language = useLanguage();
  const navigate = useNavigate();
  if (names.length === 0) return null;
  return (
    <div className={classes['root']}>
      <Notice
        tone="warning"
        live
        action={
          <DeskButton
            onClick={(event) => {
              leadBeside(event.currentTarget);
              void navigate({
                to: '.',
                search: ((before: object) => ({ ...before, ...without })) as never,
                replace: true,
                resetScroll: false,
              });
            }}
          >
            {t('leftOut.drop')}
          </DeskButton>
        }
      >
        {t('leftOut', { count: names.length, names: formatItems(names, language) })}
      </Notice>
    </div>
  );
}
