import { useTranslation } from 'react-i18next';

/** Id of the control of a form field, the target of the error summary. */
export function fieldId(name: string): string {
  return `field-${name.replaceAll('.', '-')}`;
}

/** Schema messages are text keys, translated where they are shown, so a language switch reaches them; server sentences pass through. */
export function useFieldMessage(): (message: string | undefined, label: string) => string | undefined {
  const { t, i18n } = useTranslation();
  return (message, label) => {
    if (!message) return undefined;
    if (!i18n.exists(message)) return message;
    // the key comes from a schema, beyond what the types of `t` can follow
    const translate = t as unknown as (key: string, values: Record<string, unknown>) => string;
    return translate(message, { p1: label });
  };
}
