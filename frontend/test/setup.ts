import '@testing-library/jest-dom/vitest';

import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// jsdom has no layout: what Mantine and the router ask of the browser is answered with neutral values
if (typeof window !== 'undefined') {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    addListener: () => {},
    removeListener: () => {},
    dispatchEvent: () => false,
  }));
  class NoResize {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', NoResize);
  vi.stubGlobal('scrollTo', () => {});
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  Element.prototype.scrollIntoView = () => {};
}

// machines that run tests are busy: waiting ends when the thing is there, so patience costs nothing
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
});
