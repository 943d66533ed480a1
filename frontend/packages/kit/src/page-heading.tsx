import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { announce } from './announce.tsx';
import classes from './page-heading.module.css';
import { siteName } from './site-name.ts';

let firstPage = true;
/** Whether the first page of this document goes on with a visit. */
let goesOn = false;

/**
 * For a document that a press within the app has led to: its first heading takes the focus, as it does on every page
 * reached by navigation.
 */
export function headingsGoOn(): void {
  goesOn = true;
}

interface PageHeadingProps {
  title: string;
  /** Position in a flow; goes into the document title, "Step 2 of 4: ...". */
  step?: { n: number; of: number };
  /** Marks the document title when the form on the page was refused. */
  invalid?: boolean;
  lead?: ReactNode;
}

/** The one `h1` of a page. Moves focus to itself when the page was reached by navigation, and tells screen readers. */
export function PageHeading({ title, step, invalid = false, lead }: PageHeadingProps) {
  const { t } = useTranslation('kit');
  const heading = useRef<HTMLHeadingElement>(null);
  const stepText = step ? t('title.step', { n: step.n, of: step.of, title }) : title;

  useEffect(() => {
    const marked = invalid ? t('title.error', { title: stepText }) : stepText;
    document.title = t('title.suffix', { title: marked, name: siteName() });
  }, [t, stepText, invalid]);

  useEffect(() => {
    const first = firstPage;
    firstPage = false;
    // the first page of a visit keeps the browser's own focus, or the skip link would be passed over
    if (first && !goesOn) return;
    // whoever was quicker than the page is left where they are
    if (first && document.activeElement !== document.body) return;
    heading.current?.focus({ preventScroll: true });
    // a screen reader says the title of a document by itself
    if (!first) announce(stepText);
    // once per page: a language change must not steal focus
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return (
    <header className={classes['root']}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {lead ? <p className="pg-muted">{lead}</p> : null}
    </header>
  );
}
