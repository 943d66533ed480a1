import { useTranslation } from 'react-i18next';

import classes from './error-summary.module.css';
import { useLeadTo } from './use-lead-to.ts';

export interface SummaryItem {
  /** Id of the element to send the person to; without it the text stands alone. */
  fieldId?: string;
  text: string;
}

interface ErrorSummaryProps {
  items: SummaryItem[];
  /** Changes with every refused attempt, so that focus comes back even when the errors stay the same. */
  attempt: number;
}

/** "There is a problem": takes the focus after a refused submit and links to each field, in the field's own words. */
export function ErrorSummary({ items, attempt }: ErrorSummaryProps) {
  const { t } = useTranslation('kit');
  const box = useLeadTo<HTMLDivElement>(attempt);

  if (items.length === 0) return null;
  return (
    <div ref={box} className={classes['root']} role="alert" tabIndex={-1} aria-labelledby="error-summary-title">
      <h2 id="error-summary-title">{t('problem')}</h2>
      <ul>
        {items.map((item) => (
          <li key={`${item.fieldId ?? ''}${item.text}`}>
            {item.fieldId ? (
              <a
                href={`#${item.fieldId}`}
                onClick={(event) => {
                  event.preventDefault();
                  const field = document.getElementById(item.fieldId ?? '');
                  field?.focus();
                  field?.scrollIntoView({ block: 'center' });
                }}
              >
                {item.text}
              </a>
            ) : (
              item.text
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
