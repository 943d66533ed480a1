import { MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import type { ReactNode } from 'react';

import { LiveRegion } from './announce.tsx';
import { theme } from './theme.ts';

/** Reads the nonce that the server put on this response; our content policy demands it of Mantine's style elements. */
function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// the scroll lock of an open dialog makes a style element of its own and asks here
setNonce(styleNonce());

export function KitProvider({ children, test = false }: { children: ReactNode; test?: boolean }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce} env={test ? 'test' : 'default'}>
      {children}
      <LiveRegion />
    </MantineProvider>
  );
}
