import { loadTexts } from '@portage/frame';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';

import { type Overlay, showOverlay, useOverlay } from './help.ts';
import { useKeys } from './keys.ts';

const loadPalette = () => import('./palette.tsx');
const loadSheet = () =>
  Promise.all([import('./keys-sheet/keys-sheet.tsx'), loadTexts('keys')()]).then(([module]) => module);
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));
const KeysSheet = lazy(() => loadSheet().then((module) => ({ default: module.KeysSheet })));

/** Fetches the code of the palette before somebody presses its key. */
export function preloadOverlays(): void {
  // asked for again when one opens
  loadPalette().catch(() => {});
}

/**
 * What is typed after the palette was asked for and before its field has the focus: its code may still be on the way, and
 * the letters are meant for it, not for the page. While the list of shortcuts is on its way they do nothing.
 */
function useTypedEarly(overlay: Overlay): string {
  const [typed, setTyped] = useState('');
  useEffect(() => {
    if (overlay === null) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]')) return;
      if (key === 'Escape') showOverlay(null);
      else if (key === 'Backspace') setTyped((now) => now.slice(0, -1));
      else if (key.length === 1) setTyped((now) => now + key);
      // Enter would press what has the focus behind
      else if (key !== 'Enter') return;
      event.preventDefault();
      event.stopPropagation();
    };
    // before anybody else hears it
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('keydown', onKey, true);
      setTyped('');
    };
  }, [overlay]);
  return typed;
}

/** The keys that work on every page, the command palette and the list of shortcuts. */
export function Overlays() {
  const overlay = useOverlay();
  const typedEarly = useTypedEarly(overlay);
  const navigate = useNavigate();
  const router = useRouter();
  const [wanted, setWanted] = useState({ palette: false, keys: false });
  if (overlay && !wanted[overlay]) setWanted({ ...wanted, [overlay]: true });

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      showOverlay('palette');
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  useKeys({
    '?': () => showOverlay('keys'),
    'g b': () => void navigate({ to: '/bookings' }),
    n: () => void navigate({ to: '/bookings/new' }),
    // on a page without a search line, the one of the bookings is meant
    '/': () => {
      const here = document.querySelector<HTMLInputElement>('main input[type="search"]');
      if (here) here.focus();
      else void navigate({ to: '/bookings', search: { focus: 'search' } });
    },
    j: () => focusRow(1),
    k: () => focusRow(-1),
  });

  useEffect(() => {
    return router.subscribe('onBeforeNavigate', () => showOverlay(null));
  }, [router]);

  return (
    <Suspense fallback={null}>
      {wanted.palette ? (
        <Palette opened={overlay === 'palette'} typedEarly={typedEarly} onClose={() => showOverlay(null)} />
      ) : null}
      {wanted.keys ? <KeysSheet opened={overlay === 'keys'} onClose={() => showOverlay(null)} /> : null}
    </Suspense>
  );
}

/** Leads into the list of the page, where the table's own keys go on. */
function focusRow(step: 1 | -1): void {
  if (document.activeElement?.closest('[data-grid-row]')) return;
  const links = document.querySelectorAll<HTMLElement>('main [data-row-link]');
  (step === 1 ? links[0] : links[links.length - 1])?.focus();
}
