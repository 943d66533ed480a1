import { createLazyRoute } from '@tanstack/react-router';

import { CardPage } from '../features/pay/card-page.tsx';

export const Route = createLazyRoute('/site/card/$token')({ component: CardPage });
