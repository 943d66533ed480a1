import { changeLanguage, htmlLang, type Language, useLanguage } from '@portage/i18n';
import { ChoiceMenu } from '@portage/kit';
import { IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { loadNewVersion } from './new-version.ts';

/** The specification's order. */
export const languageOrder: Language[] = ['zh', 'fr', 'en'];

/** Changes the language of the whole page without a reload. */
export function chooseLanguage(language: Language): void {
  // its texts may be files of a version that is gone
  void changeLanguage(language).then(() => loadNewVersion(location.pathname + location.search));
  // a `lang` parameter would win again on reload, over the choice just made
  const url = new URL(location.href);
  if (url.searchParams.has('lang')) {
    url.searchParams.delete('lang');
    history.replaceState(history.state, '', url);
  }
}

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
      onChoose={chooseLanguage}
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
