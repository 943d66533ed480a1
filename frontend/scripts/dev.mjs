// The development servers of all apps under one address: the app at / passes on what belongs to the others.
// `dev.mjs --mock` answers /api in memory, so that screens can be built without a server.
import { createServer } from 'vite';

import { apps, folderOf } from './apps.mjs';

if (process.argv.includes('--mock')) process.env.PORTAGE_MOCK_API = '1';
for (const app of apps) {
  const server = await createServer({ root: folderOf(app), configFile: `${folderOf(app)}/vite.config.ts` });
  await server.listen();
  if (app.base === '/') server.printUrls();
}
