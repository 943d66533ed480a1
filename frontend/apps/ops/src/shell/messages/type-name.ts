import type { SmsTrouble } from '@portage/api';
import { useTranslation } from 'react-i18next';

import type texts from './locales/en/messageTypes.json';

type TextKey = keyof typeof texts;

/** Before the name of a text among the templates. */
const textPrefix = 'sms-';

/** Why a message was not sent, or did not arrive; nothing where nothing is wrong. */
export function useTrouble(): (trouble: SmsTrouble | null | undefined) => string | null {
  const { t } = useTranslation('messageTypes');
  return (trouble) => (trouble ? t(`trouble.${trouble}`) : null);
}

/** What a type of message is called; its code where an older page does not know it. */
export function useTypeName(): (messageType: string) => string {
  const { t, i18n } = useTranslation('messageTypes');
  const named = (messageType: string) => {
    const key = `messageTypes:type.${messageType}`;
    return i18n.exists(key) ? t(`type.${messageType}` as TextKey as 'type.welcome') : messageType;
  };
  return (messageType) =>
    messageType.startsWith(textPrefix)
      ? t('text', { type: named(messageType.slice(textPrefix.length)) })
      : named(messageType);
}
