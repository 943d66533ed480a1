import { createLazyRoute } from '@tanstack/react-router';

import { UnsubscribePage } from '../features/pay/unsubscribe-page.tsx';

export const Route = createLazyRoute('/site/unsubscribe/$token')({ component: UnsubscribePage });
