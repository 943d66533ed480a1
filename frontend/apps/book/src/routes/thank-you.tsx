import { createLazyRoute } from '@tanstack/react-router';

import { ThankYouPage } from '../features/confirmation/thank-you-page.tsx';

export const Route = createLazyRoute('/site/thank-you')({ component: ThankYouPage });
