import { createLazyRoute } from '@tanstack/react-router';

import { ConsentPage } from '../features/pay/consent-page.tsx';

export const Route = createLazyRoute('/site/consent/$token')({ component: ConsentPage });
