import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { announce } from './announce.tsx';
import classes from './page-heading.module.css';

let firstPage = true;

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
    document.title = t('title.suffix', { title: marked });
  }, [t, stepText, invalid]);

  useEffect(() => {
    // the first page of a visit keeps the browser's own focus, or the skip link would be passed over
    if (firstPage) {
      firstPage = false;
      return;
    }
    heading.current?.focus({ preventScroll: true });
    announce(stepText);
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
