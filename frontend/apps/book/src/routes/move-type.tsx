import { createLazyRoute } from '@tanstack/react-router';

import { MoveTypePage } from '../features/move/move-type-page.tsx';

export const Route = createLazyRoute('/wizard/move-type')({ component: MoveTypePage });
