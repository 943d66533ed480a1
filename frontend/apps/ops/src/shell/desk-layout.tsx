import { Outlet } from '@tanstack/react-router';

import classes from './desk-layout.module.css';
import { Gate } from './gate.tsx';
import { Sidebar } from './sidebar.tsx';

/** Sidebar and page. */
export function DeskLayout() {
  return (
    <Gate>
      <div className={classes['root']}>
        <Sidebar />
        <main id="content" className={classes['page']}>
          <Outlet />
        </main>
      </div>
    </Gate>
  );
}
