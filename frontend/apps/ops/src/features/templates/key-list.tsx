import { TextInput } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './templates.module.css';

interface KeyListProps {
  keys: readonly string[];
  search: RefObject<HTMLInputElement | null>;
  onInsert: (key: string) => void;
}

/** Every key of the message: a press puts it where the cursor was. By keyboard: Ctrl and space, a few letters, Enter. */
export function KeyList({ keys, search, onInsert }: KeyListProps) {
  const { t } = useTranslation('templates');
  const [typed, setTyped] = useState('');
  const found = keys.filter((key) => key.toLowerCase().includes(typed.trim().toLowerCase()));
  const first = found[0];
  return (
    <div>
      <TextInput
        ref={search}
        label={t('keys')}
        description={t('keysHelp')}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !first) return;
          event.preventDefault();
          setTyped('');
          onInsert(first);
        }}
      />
      <div role="status">{first ? null : <p className={classes['noKey']}>{t('keysNone')}</p>}</div>
      <ul className={classes['keys']}>
        {found.map((key) => (
          <li key={key}>
            <button type="button" className={classes['key']} onClick={() => onInsert(key)}>
              {key}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
