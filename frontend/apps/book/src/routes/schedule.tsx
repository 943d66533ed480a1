import { createLazyRoute } from '@tanstack/react-router';

import { SchedulePage } from '../features/schedule/schedule-page.tsx';

export const Route = createLazyRoute('/wizard/schedule')({ component: SchedulePage });
