import { createLazyRoute } from '@tanstack/react-router';

import { ServerErrorPage } from '../features/account/server-error-page.tsx';

export const Route = createLazyRoute('/site/500')({ component: ServerErrorPage });
