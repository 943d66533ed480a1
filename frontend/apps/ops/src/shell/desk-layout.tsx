import { Outlet } from '@tanstack/react-router';

import classes from './desk-layout.module.css';
import { Gate } from './gate.tsx';
import { LiveLine } from './live-line.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Overlays } from './overlays.tsx';
import { Sidebar } from './sidebar.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

/** Sidebar and page, and what every page has: palette, shortcuts, the question before something unsaved is left. */
export function DeskLayout() {
  return (
    <Gate>
      <div className={classes['root']}>
        <Sidebar />
        <main id="content" className={classes['page']}>
          <OfflineNotice />
          <LiveLine />
          <Outlet />
        </main>
      </div>
      <Overlays />
      <UnsavedGuard />
    </Gate>
  );
}
