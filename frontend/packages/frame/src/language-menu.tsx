import { htmlLang, type Language, useLanguage } from '@portage/i18n';
import { ChoiceMenu } from '@portage/kit';
import { IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { chooseLanguage } from './choose-language.ts';

/** The specification's order. */
export const languageOrder: Language[] = ['zh', 'fr', 'en'];

/** Menu that changes the language of the whole page without a reload. */
export function LanguageMenu({ className = '' }: { className?: string }) {
  const { t } = useTranslation(['common', 'frame']);
  const language = useLanguage();
  return (
    <ChoiceMenu
      label={t('frame:language.label', { language: t(`lang.${language}`) })}
      icon={<IconWorld size={18} stroke={1.75} aria-hidden />}
      shown={language.toUpperCase()}
      value={language}
      onChoose={(code) => void chooseLanguage(code)}
      className={className}
      choices={languageOrder.map((code) => ({
        value: code,
        lang: htmlLang[code],
        label: (
          <>
            <strong>{code.toUpperCase()}</strong> {t(`lang.${code}`)}
          </>
        ),
      }))}
    />
  );
}
