import { Button } from '@mantine/core';
import { leadToWhatComes, Notice } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { chooseLanguage, tellFailed, useFailedLanguage } from './choose-language.ts';

/** Says why the page is still in the former language, and tries again. */
export function LanguageNotice() {
  const { t } = useTranslation(['common', 'frame']);
  const language = useFailedLanguage();
  if (!language) return null;
  return (
    <Notice
      tone="warning"
      live
      onDismiss={() => tellFailed(null)}
      action={
        <Button
          size="sm"
          onClick={(event) => {
            leadToWhatComes(event.currentTarget);
            void chooseLanguage(language);
          }}
        >
          {t('action.retry')}
        </Button>
      }
    >
      {t('frame:language.failed', { language: t(`lang.${language}`) })}
    </Notice>
  );
}
