import { useTranslation } from 'react-i18next';

import type texts from './locales/en/templates.json';

type TextKey = keyof typeof texts;

/** What a type of message is called; its code where an older page does not know it. */
export function useTypeName(): (messageType: string) => string {
  const { t, i18n } = useTranslation('templates');
  return (messageType) => {
    const key = `templates:type.${messageType}`;
    return i18n.exists(key) ? t(`type.${messageType}` as TextKey as 'type.welcome') : messageType;
  };
}
