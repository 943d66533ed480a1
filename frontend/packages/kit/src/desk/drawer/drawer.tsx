import { Drawer as Frame } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { IconButton } from '../button/button.tsx';
import classes from './drawer.module.css';

export interface DrawerProps {
  /** The address says whether it is open; a router decides. */
  opened: boolean;
  /** Esc, the cross or a press beside it. The one who opened it may refuse, with unsaved changes for example. */
  onClose: () => void;
  title: ReactNode;
  /** Small print above the title: a code, a state. */
  kicker?: ReactNode;
  children: ReactNode;
  /** Stays in sight at the end; what can be done. */
  footer?: ReactNode;
  /** Steps to the record before and after in the list; left out where there is none. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** Where the focus goes afterwards, when it is not what had it before: the row that was shown last. */
  returnFocusTo?: () => HTMLElement | null;
  size?: number;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** Panel beside a list that shows the record of one row. It holds the focus while it is open; j and k go to the next and previous record. */
export function Drawer({
  opened,
  onClose,
  title,
  kicker,
  children,
  footer,
  onPrevious,
  onNext,
  returnFocusTo,
  size = 640,
}: DrawerProps) {
  const { t } = useTranslation(['desk', 'common']);
  const frame = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLElement | null>(null);
  const target = useRef(returnFocusTo);
  useEffect(() => {
    target.current = returnFocusTo;
  });

  useEffect(() => {
    if (!opened) return;
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    return () => {
      // the row shown last may not be the one that was pressed; without either the page keeps the focus
      const back = target.current?.() ?? opener.current;
      setTimeout(() => {
        if (back?.isConnected) back.focus({ preventScroll: false });
      });
    };
  }, [opened]);

  // while it slides out it keeps showing what it showed
  const last = useRef({ kicker, title, children, footer });
  if (opened) last.current = { kicker, title, children, footer };
  const shown = last.current;

  useEffect(() => {
    if (!opened) return;
    const onKey = (event: KeyboardEvent) => {
      const from = event.target;
      // what opens over the drawer is a dialog of its own and answers to its own Escape
      const ours =
        from === document.body || (from instanceof Element && from.closest('[role="dialog"]') === frame.current);
      if (!ours || event.defaultPrevented || event.isComposing) return;
      if (event.key === 'Escape') {
        event.preventDefault();
        onClose();
        return;
      }
      if (isTyping(from) || event.ctrlKey || event.metaKey || event.altKey) return;
      const step = event.key === 'j' ? onNext : event.key === 'k' ? onPrevious : undefined;
      if (!step) return;
      event.preventDefault();
      step();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [opened, onClose, onNext, onPrevious]);

  return (
    <Frame.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={size}
      closeOnEscape={false}
      returnFocus={false}
      transitionProps={{ transition: 'slide-left', duration: 200 }}
      // by part: a class of the content would also reach the frame around it
      classNames={{ overlay: classes['overlay'] ?? '', content: classes['content'] ?? '' }}
    >
      <Frame.Overlay />
      <Frame.Content ref={frame}>
        {/* put together by hand: the ready-made one has a <header>, which would be a second banner of the page */}
        <div className={classes['frame']}>
          <div className={classes['top']}>
            <div className={classes['words']}>
              {shown.kicker ? <div className={classes['kicker']}>{shown.kicker}</div> : null}
              <Frame.Title className={classes['title'] ?? ''} tabIndex={-1} data-autofocus>
                {shown.title}
              </Frame.Title>
            </div>
            {onPrevious || onNext ? (
              <>
                <IconButton label={t('drawer.previous')} disabled={!onPrevious} onClick={onPrevious}>
                  <IconChevronUp size={18} stroke={1.75} aria-hidden />
                </IconButton>
                <IconButton label={t('drawer.next')} disabled={!onNext} onClick={onNext}>
                  <IconChevronDown size={18} stroke={1.75} aria-hidden />
                </IconButton>
              </>
            ) : null}
            <IconButton label={t('common:action.close')} onClick={onClose}>
              <IconX size={18} stroke={1.75} aria-hidden />
            </IconButton>
          </div>
          <div className={classes['body']}>{shown.children}</div>
          {shown.footer ? <div className={classes['foot']}>{shown.footer}</div> : null}
        </div>
      </Frame.Content>
    </Frame.Root>
  );
}
