import { useTranslation } from 'react-i18next';

import type texts from './locales/en/messageTypes.json';

type TextKey = keyof typeof texts;

/** What a type of message is called; its code where an older page does not know it. */
export function useTypeName(): (messageType: string) => string {
  const { t, i18n } = useTranslation('messageTypes');
  return (messageType) => {
    const key = `messageTypes:type.${messageType}`;
    return i18n.exists(key) ? t(`type.${messageType}` as TextKey as 'type.welcome') : messageType;
  };
}
