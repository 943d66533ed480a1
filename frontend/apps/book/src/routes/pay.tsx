import { createLazyRoute } from '@tanstack/react-router';

import { PayPage } from '../features/pay/pay-page.tsx';

export const Route = createLazyRoute('/site/pay/$token')({ component: PayPage });
