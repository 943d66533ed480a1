import { htmlLang, i18next, type Language } from '@portage/i18n';
import { type ReactNode, useEffect, useState } from 'react';
import { I18nextProvider } from 'react-i18next';

/** What is below speaks this language, whatever the page around it speaks. Nothing is drawn until its texts are there. */
export function InLanguage({ language, children }: { language: Language; children: ReactNode }) {
  const [own, setOwn] = useState<typeof i18next | null>(null);
  useEffect(() => {
    let wanted = true;
    void i18next.loadLanguages(language).then(() => {
      const clone = i18next.cloneInstance({ lng: language }, () => {
        if (wanted) setOwn(clone);
      });
    });
    return () => {
      wanted = false;
    };
  }, [language]);
  if (own?.language !== language) return null;
  return (
    <I18nextProvider i18n={own}>
      <div lang={htmlLang[language]}>{children}</div>
    </I18nextProvider>
  );
}
