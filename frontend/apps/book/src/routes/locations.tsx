import { createLazyRoute } from '@tanstack/react-router';

import { LocationsPage } from '../features/locations/locations-page.tsx';

export const Route = createLazyRoute('/wizard/locations')({ component: LocationsPage });
