import { createLazyRoute } from '@tanstack/react-router';

import { SavedQuotePage } from '../features/pay/saved-quote-page.tsx';

export const Route = createLazyRoute('/site/saved/$token')({ component: SavedQuotePage });
