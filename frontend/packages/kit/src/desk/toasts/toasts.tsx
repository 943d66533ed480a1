import { Portal } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import {
  type FocusEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';

import { IconButton } from '../button/button.tsx';
import { placeOf } from './free-place.ts';
import { type LiveToast, secondsOf, shownAtOnce, toasts as ownToasts, type ToastStore } from './toast-store.ts';
import classes from './toasts.module.css';

const icons = { done: IconCheck, info: IconInfoCircle, problem: IconAlertTriangle } as const;

/** Whether time stands still: for who reads, for who is about to press, for who looks at another tab. */
function useHidden(): boolean {
  return useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed);
      return () => document.removeEventListener('visibilitychange', changed);
    },
    () => document.visibilityState === 'hidden',
  );
}

/** From the edge of the window, in pixels; the stylesheet says the same. */
const margin = 16;
/** So often a toast looks whether something has come under it. */
const lookMs = 250;

/** Keeps the toasts off what can be pressed: a drawer may open or scroll under them. They move only where they would cover it. */
function useFreePlace(shown: readonly LiveToast[], held: boolean): RefObject<HTMLElement | null> {
  const region = useRef<HTMLElement>(null);
  const some = shown.length > 0;
  useLayoutEffect(() => {
    const box = region.current;
    if (!box || !some) return undefined;
    const look = () => {
      box.style.bottom = `max(${placeOf(box, margin)}px, env(safe-area-inset-bottom))`;
    };
    look();
    // what the pointer or the focus is on does not run away
    if (held) return undefined;
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [some, shown.length, held]);
  return region;
}

/**
 * The one place where toasts appear; every app draws it once. It is a live region from the start, F8 leads into it and
 * back, and its clocks stand still while the pointer or the focus is in it.
 */
export function Toasts({ store = ownToasts }: { store?: ToastStore }) {
  const { t } = useTranslation('desk');
  const shown = useSyncExternalStore(store.subscribe, store.all).slice(0, shownAtOnce);
  const [over, setOver] = useState(false);
  const [inside, setInside] = useState(false);
  const hidden = useHidden();
  const region = useFreePlace(shown, over || inside);
  /** What had the focus before; it gets it back when the last toast goes. */
  const before = useRef<HTMLElement | null>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F8' || !region.current) return;
      event.preventDefault();
      if (region.current.contains(document.activeElement)) before.current?.focus();
      else (region.current.querySelector<HTMLElement>('button') ?? region.current).focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [region]);

  const end = (id: number, reason: 'time' | 'closed' | 'acted') => {
    const toast = region.current?.querySelector(`[data-toast="${id}"]`);
    const focused = toast?.contains(document.activeElement) ?? false;
    // a toast that goes under the pointer or the focus says no goodbye to either
    if (focused) {
      const others = [...(region.current?.querySelectorAll<HTMLElement>('[data-toast] button') ?? [])].filter(
        (button) => !toast?.contains(button),
      );
      (others[0] ?? before.current)?.focus();
      if (others.length === 0) setInside(false);
    }
    if (shown.length === 1) setOver(false);
    store.end(id, reason);
  };

  return (
    <Portal>
      {/* the handlers only stop the clocks; everything in it is operated by its own buttons */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={region}
        aria-label={t('toasts.label')}
        tabIndex={-1}
        className={classes['region']}
        onPointerEnter={() => setOver(true)}
        onPointerLeave={() => setOver(false)}
        onFocus={(event: FocusEvent<HTMLElement>) => {
          setInside(true);
          const from = event.relatedTarget;
          if (from instanceof HTMLElement && !event.currentTarget.contains(from)) before.current = from;
        }}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) setInside(false);
        }}
        onKeyDown={(event) => {
          const id = (event.target as HTMLElement).closest<HTMLElement>('[data-toast]')?.dataset['toast'];
          if (event.key === 'Escape' && id) {
            event.preventDefault();
            event.stopPropagation();
            end(Number(id), 'closed');
          }
        }}
      >
        <ol aria-live="polite" aria-relevant="additions" className={classes['list']}>
          {shown.map((toast) => (
            <ToastItem key={toast.id} toast={toast} paused={over || inside || hidden} onEnd={end} />
          ))}
        </ol>
      </section>
    </Portal>
  );
}

interface ToastItemProps {
  toast: LiveToast;
  paused: boolean;
  onEnd: (id: number, reason: 'time' | 'closed' | 'acted') => void;
}

function ToastItem({ toast, paused, onEnd }: ToastItemProps) {
  const { t } = useTranslation('desk');
  const seconds = secondsOf(toast);
  const left = useRef(seconds === null ? null : seconds * 1000);
  const ended = useRef(onEnd);
  useEffect(() => {
    ended.current = onEnd;
  });

  useEffect(() => {
    if (paused || left.current === null) return;
    const began = performance.now();
    const before = left.current;
    const timer = setTimeout(() => ended.current(toast.id, 'time'), before);
    return () => {
      clearTimeout(timer);
      left.current = Math.max(0, before - (performance.now() - began));
    };
  }, [paused, toast.id]);

  const tone = toast.tone ?? 'done';
  const Icon = icons[tone];
  return (
    <li className={classes['toast']} data-tone={tone} data-toast={toast.id}>
      <Icon size={18} stroke={2} aria-hidden className={classes['icon']} />
      <span className={classes['text']}>{toast.text}</span>
      {toast.action ? (
        <button
          type="button"
          className={classes['action']}
          onClick={() => {
            const act = toast.action?.onAct;
            onEnd(toast.id, 'acted');
            act?.();
          }}
        >
          {toast.action.label}
        </button>
      ) : null}
      <IconButton label={t('toasts.close')} className={classes['close']} onClick={() => onEnd(toast.id, 'closed')}>
        <IconX size={16} stroke={1.75} aria-hidden />
      </IconButton>
    </li>
  );
}
