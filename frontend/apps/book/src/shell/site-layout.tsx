import { Outlet } from '@tanstack/react-router';

import { Header } from './header.tsx';
import classes from './site.module.css';

/** Pages outside the booking: header, one column. */
export function SiteLayout() {
  return (
    <>
      <Header />
      <main id="content" className={classes['single']}>
        <Outlet />
      </main>
    </>
  );
}
