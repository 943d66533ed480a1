import { createLazyRoute } from '@tanstack/react-router';

import { PaymentPage } from '../features/payment/payment-page.tsx';

export const Route = createLazyRoute('/wizard/payment')({ component: PaymentPage });
