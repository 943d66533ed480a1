import { createLazyRoute } from '@tanstack/react-router';

import { BookingsPage } from '../features/bookings/bookings-page.tsx';

export const Route = createLazyRoute('/account/profile/bookings')({ component: BookingsPage });
