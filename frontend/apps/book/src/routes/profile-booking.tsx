import { createLazyRoute } from '@tanstack/react-router';

import { BookingPage } from '../features/bookings/booking-page.tsx';

export const Route = createLazyRoute('/account/profile/bookings/$bookingId')({ component: BookingPage });
