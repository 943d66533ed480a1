import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';

import { EstimateProvider } from '../estimate/estimate-context.tsx';
import { Banners } from './banners.tsx';
import { FloatingWidget } from './floating-widget.tsx';
import classes from './root.module.css';
import { SignTroubleDialog } from './sign-trouble-dialog.tsx';

export function Root() {
  const { t } = useTranslation();
  return (
    <EstimateProvider>
      <a href="#content" className={classes['skip']}>
        {t('app.skip')}
      </a>
      <Banners />
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <FloatingWidget />
      <SignTroubleDialog />
    </EstimateProvider>
  );
}
