import { siteName } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { useConfig } from './config.ts';
import classes from './logo.module.css';

/** The mark and the name, for the link to an app's first page. */
export function Logo() {
  const { t } = useTranslation('frame');
  return (
    <>
      <svg
        width="34"
        height="22"
        viewBox="0 0 30 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M4 14C10 14 10 6 15 6S21 14 24 14" />
        <circle cx="4" cy="14" r="2.2" fill="var(--pg-accent)" />
        <path d="M22.8 12.2h3.6v3.6h-3.6z" fill="currentColor" />
      </svg>
      <span>{t('name')}</span>
    </>
  );
}

/** What the server wrote into the page: the settings come a moment later, and another mark would flash until then. */
function logoOfPage(): string | null {
  const named = document.querySelector<HTMLMetaElement>('meta[name="company-logo"]')?.content ?? '';
  return named.startsWith('/api/logos/') ? named : null;
}

/** What the company that runs the site is called. */
export function useCompanyName(): string {
  return useConfig()?.companyName ?? siteName();
}

/** The company's own logo where it has one, else its name, and where it has not said that either, ours; for a link that has a name already. */
export function CompanyLogo() {
  const { t } = useTranslation('frame');
  const config = useConfig();
  const name = useCompanyName();
  const logo = config ? config.companyLogo : logoOfPage();
  if (logo) return <img src={logo} alt="" className={classes['own']} />;
  return name === t('name') ? <Logo /> : <strong className={classes['name']}>{name}</strong>;
}
