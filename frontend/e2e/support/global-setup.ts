import { startServer } from './server.ts';

/** Starts a server for the run, unless the caller has one already and names it in PORTAGE_URL. */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['PORTAGE_URL']) return undefined;
  const server = await startServer();
  // workers start after this and inherit it
  process.env['PORTAGE_URL'] = server.url;
  return server.stop;
}
