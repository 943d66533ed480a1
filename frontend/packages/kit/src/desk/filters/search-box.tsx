import { IconSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './search-box.module.css';

interface SearchBoxProps {
  label: string;
  placeholder?: string | undefined;
  value: string;
  onSearch: (text: string) => void;
  /** "/" puts the cursor here. People can turn single keys off. */
  slash: boolean;
}

const pause = 300;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** Leads into the list that is searched, to where its keyboard is; false where there is none. */
function toRows(): boolean {
  const row =
    document.querySelector<HTMLElement>('[data-grid-row] [data-row-link]') ??
    document.querySelector<HTMLElement>('tbody [data-grid-row] [tabindex="0"]');
  row?.focus();
  return row !== null;
}

/**
 * Search field. `onSearch` is called when typing pauses, and at once on Enter. The arrow down leads to the rows, and so does
 * Enter once they are those that were asked for; Escape empties the field, and leaves it when it is empty.
 */
export function SearchBox({ label, placeholder, value, onSearch, slash }: SearchBoxProps) {
  const { t } = useTranslation('desk');
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What stands in the box while the list has not followed yet. */
  const [typed, setTyped] = useState<string | null>(null);

  useEffect(() => {
    return () => clearTimeout(timer.current);
  }, []);
  useEffect(() => {
    if (!slash) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [slash]);

  const search = (text: string) => {
    clearTimeout(timer.current);
    setTyped(null);
    if (text.trim() !== value) onSearch(text.trim());
  };
  const shown = typed ?? value;
  return (
    <div className={classes['root']}>
      <IconSearch size={18} stroke={1.75} aria-hidden className={classes['icon']} />
      <input
        ref={input}
        type="search"
        className={classes['input']}
        aria-label={label}
        aria-keyshortcuts={slash ? '/' : undefined}
        placeholder={placeholder}
        value={shown}
        onChange={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          clearTimeout(timer.current);
          const page = window.location.pathname;
          timer.current = setTimeout(() => {
            // Somebody may have gone on to another page while this one is still drawn: a search now would bring them back.
            if (window.location.pathname === page) search(text);
          }, pause);
        }}
        onKeyDown={(event) => {
          // a key that ends a word of an input method is none of ours
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') {
            const asked = shown.trim() === value;
            search(shown);
            // what is asked for already is there: the next key belongs to the rows
            if (asked && toRows()) event.preventDefault();
          } else if (event.key === 'ArrowDown') {
            if (toRows()) event.preventDefault();
          } else if (event.key === 'Escape') {
            event.preventDefault();
            if (shown === '') event.currentTarget.blur();
            else search('');
          }
        }}
      />
      {shown ? (
        <button
          type="button"
          className={classes['clear']}
          aria-label={t('filters.clearSearch')}
          onClick={() => {
            search('');
            input.current?.focus();
          }}
        >
          <IconX size={16} stroke={1.75} aria-hidden />
        </button>
      ) : slash ? (
        <kbd className={classes['key']} aria-hidden>
          /
        </kbd>
      ) : null}
    </div>
  );
}
