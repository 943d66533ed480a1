import '@testing-library/jest-dom/vitest';

import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { afterAll, afterEach, vi } from 'vitest';

// jsdom has no layout: what Mantine and the router ask of the browser is answered with neutral values
if (typeof window !== 'undefined') {
  vi.stubGlobal('matchMedia', (query: string) => ({
    // nothing moves: the timers of what does would outlive a page
    matches: query === '(prefers-reduced-motion: reduce)',
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
  // jsdom knows the element of a dialog, and not what it does
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
  };
  quickIds();
  quickLabels();
  quickStyles();
  withoutOwnerStacks();
}

/** `[id="…"]`, by which the library looks for what names an element: jsdom goes through the whole page for each. */
function quickIds() {
  type Query = (this: Element, selector: string) => Element | null;
  const whole = Object.getOwnPropertyDescriptor(Element.prototype, 'querySelector')?.value as Query;
  Element.prototype.querySelector = function quick(this: Element, selector: string): Element | null {
    const id = /^\[id="([^"\\]+)"\]$/.exec(selector)?.[1];
    if (id === undefined || !this.isConnected) return whole.call(this, selector);
    const found = this.ownerDocument.getElementById(id);
    // of two with one id, the other may lie inside
    return !found || (found !== this && this.contains(found)) ? found : whole.call(this, selector);
  };
}

/**
 * React writes down for each element, ten thousand a second, where in the code it was made, to be shown beside a warning:
 * a tenth of the tests' time. It is told that the ten thousand of this second are made already.
 */
function withoutOwnerStacks() {
  const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as Record<
    string,
    object
  >;
  if (!internals || !('recentlyCreatedOwnerStacks' in internals)) throw new Error('React counts its stacks elsewhere.');
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    configurable: true,
    get: () => Infinity,
    set: () => {},
  });
}

/**
 * What a label belongs to, and the labels of a field. jsdom goes through the whole page for each of them, once a label
 * and once more for its field: half of the time of a test that asks for fields by their labels, or for roles by their
 * names.
 */
function quickLabels() {
  const labelable = 'button, input:not([type="hidden"]), meter, output, progress, select, textarea';
  const control = (label: HTMLLabelElement): HTMLElement | null => {
    const id = label.getAttribute('for');
    if (id === null) return label.querySelector<HTMLElement>(labelable);
    const named = id === '' ? null : label.ownerDocument.getElementById(id);
    return named?.matches(labelable) ? named : null;
  };
  const labels = (field: HTMLElement): HTMLLabelElement[] | null => {
    if (!field.matches(labelable)) return null;
    const named = field.id ? field.ownerDocument.querySelectorAll<HTMLLabelElement>('label[for]') : [];
    const around = field.closest('label');
    const possible = new Set([...(around ? [around] : []), ...named]);
    return [...possible].filter((label) => control(label) === field);
  };
  const getter = (of: (element: never) => unknown) => ({
    configurable: true,
    get(this: unknown) {
      return of(this as never);
    },
  });
  Object.defineProperty(HTMLLabelElement.prototype, 'control', getter(control));
  const kinds = [
    HTMLButtonElement,
    HTMLInputElement,
    HTMLMeterElement,
    HTMLOutputElement,
    HTMLProgressElement,
    HTMLSelectElement,
    HTMLTextAreaElement,
  ];
  for (const kind of kinds) Object.defineProperty(kind.prototype, 'labels', getter(labels));
}

/**
 * How an element is shown. jsdom compares every rule of every sheet with each element that is asked, which is done for
 * every element of a page whenever something is looked for by its role: a fifth of the tests' time. No sheet of ours is loaded
 * here: what counts is the tag, `hidden`, and the element's own `style`. Where a test puts a sheet into the head, that counts.
 */
function quickStyles() {
  const whole = window.getComputedStyle.bind(window);
  const plain = new Map<string, CSSStyleDeclaration>();
  const ofTag = (element: Element): CSSStyleDeclaration => {
    const key = `${element.localName} ${element.getAttribute('type') ?? ''} ${String(element.hasAttribute('open'))}`;
    const known = plain.get(key);
    if (known) return known;
    const bare = document.createElementNS(element.namespaceURI, element.localName);
    for (const name of ['type', 'open']) {
      const value = element.getAttribute(name);
      if (value !== null) bare.setAttribute(name, value);
    }
    const style = whole(bare);
    plain.set(key, style);
    return style;
  };
  const hidden = document.createElement('div').style;
  hidden.display = 'none';
  const inherits = (element: Element): string => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const own = (at as Partial<HTMLElement>).style?.visibility;
      if (own && own !== 'inherit') return own;
    }
    return 'visible';
  };
  const sheets = document.head.getElementsByTagName('style');
  window.getComputedStyle = (element, part) => {
    if (part || sheets.length > 0) return whole(element, part);
    const visibility = inherits(element);
    const own = (element as Partial<HTMLElement>).style;
    const bare = element.hasAttribute('hidden') ? hidden : ofTag(element);
    if (visibility === 'visible' && !own?.length) return bare;
    const style = document.createElement('div').style;
    style.cssText = own?.cssText ?? '';
    if (!style.display) style.display = bare.display;
    style.visibility = visibility;
    return style;
  };
}

// Machines that run tests are busy: waiting ends when the thing is there, so patience costs nothing. The page is
// printed once, when the waiting is over, and not at each look in between, which nobody reads.
interface Looking {
  /** Set by the library while it looks again and again; its types do not name it. */
  _disableExpensiveErrorDiagnostics?: boolean;
}
configure(({ getElementError: whole }) => ({
  asyncUtilTimeout: 10_000,
  getElementError: (message, container) =>
    (getConfig() as Looking)._disableExpensiveErrorDiagnostics
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : whole(message, container),
}));

afterEach(() => {
  cleanup();
});

if (typeof window !== 'undefined') await asAtFirst();

/**
 * Files of one worker share a browser (vitest.config.ts): each begins with modules of its own, and leaves the browser
 * as it found it.
 */
async function asAtFirst() {
  vi.resetModules();
  const { default: i18next } = await import('i18next');
  if (i18next.isInitialized) throw new Error('The texts and the language of another test file are still loaded.');
  const attributes = document.documentElement.getAttributeNames();
  afterAll(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, '', '/');
    document.head.replaceChildren();
    document.body.replaceChildren();
    for (const name of document.documentElement.getAttributeNames()) {
      if (!attributes.includes(name)) document.documentElement.removeAttribute(name);
    }
  });
}
