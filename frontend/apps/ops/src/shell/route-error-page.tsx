import { RouteError } from '@portage/frame';

import { PlainPage } from './plain-page.tsx';

export function RouteErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  return <RouteError error={error} reset={reset} renderFrame={(content) => <PlainPage>{content}</PlainPage>} />;
}
