import { createLazyRoute } from '@tanstack/react-router';

import { QuotePage } from '../features/quote/quote-page.tsx';

export const Route = createLazyRoute('/wizard/quote')({ component: QuotePage });
