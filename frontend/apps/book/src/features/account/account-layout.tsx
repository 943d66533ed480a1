import { Outlet } from '@tanstack/react-router';

import { RequireSession } from '../../shell/require-session.tsx';
import { Header } from '../../shell/header.tsx';
import classes from './account-layout.module.css';
import { AccountNav } from './account-nav.tsx';

/** The person's own pages: menu beside, page after it, both only for somebody who is signed in. */
export function AccountLayout() {
  return (
    <>
      <Header />
      <div className={classes['root']}>
        <AccountNav />
        <main id="content" className={classes['page']}>
          <RequireSession>
            <Outlet />
          </RequireSession>
        </main>
      </div>
    </>
  );
}
