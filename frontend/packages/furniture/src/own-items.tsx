import { TextInput } from '@mantine/core';
import type { Furniture } from '@portage/api';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ownSizes } from './catalogue.ts';
import classes from './furniture-picker.module.css';
import { ItemCard } from './item-card.tsx';

/** Characters that say what one's own pieces are. */
const longest = 150;

interface OwnItemsProps {
  items: Furniture[];
  counts: Map<string, number>;
  setCount: (id: string, count: number) => void;
  /** Opens by itself where a search found nothing. */
  opened: boolean;
  words: string;
  onWords: (words: string) => void;
}

/** Pieces that are in no list: one of three sizes, and what they are in the person's words. */
export function OwnItems({ items, counts, setCount, opened, words, onWords }: OwnItemsProps) {
  const { t } = useTranslation('furniture');
  const own = items.filter((item) => ownSizes.some((size) => size === item.id));
  const some = own.some((item) => (counts.get(item.id) ?? 0) > 0);
  const wanted = opened || some;
  const [atFirst] = useState(wanted);
  const box = useRef<HTMLDetailsElement>(null);
  // whoever counts in here keeps their place, also when the first piece comes or the last one goes
  useEffect(() => {
    const details = box.current;
    if (details && (wanted || !details.contains(document.activeElement))) details.open = wanted;
  }, [wanted]);
  if (own.length === 0) return null;
  return (
    <details ref={box} className={classes['own']} open={atFirst}>
      <summary>{t('own.title')}</summary>
      <p className="pg-small pg-muted">{t('own.help')}</p>
      <ul className={classes['grid']}>
        {own.map((item) => (
          <ItemCard key={item.id} item={item} count={counts.get(item.id) ?? 0} setCount={setCount} />
        ))}
      </ul>
      {some ? (
        <TextInput
          label={t('own.what')}
          description={t('own.whatHelp')}
          mt={12}
          maxLength={longest}
          autoComplete="off"
          value={words}
          onChange={(event) => onWords(event.currentTarget.value)}
        />
      ) : null}
    </details>
  );
}
