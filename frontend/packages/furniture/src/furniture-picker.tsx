import { Button, Checkbox, TextInput } from '@mantine/core';
import type { Furniture, FurnitureCatalogue, FurniturePreset, SelectedFurniture } from '@portage/api';
import { categoryGlyph, furnitureGlyph, Glyph } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { formatNumber, formatSentences, useLanguage } from '@portage/i18n';
import { ConfirmDialog, QuantityStepper } from '@portage/kit';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { catalogueQuery } from './catalogue-query.ts';
import { categories, matches, sameItems, totals, withQuantity } from './catalogue.ts';
import classes from './furniture-picker.module.css';

interface FurniturePickerProps {
  id: string;
  error: string | undefined;
  selected: SelectedFurniture[];
  /** The next selection, made of the newest one: two presses may come before a render. */
  onChange: (change: (selected: SelectedFurniture[]) => SelectedFurniture[]) => void;
}

/** About 150 pieces in six groups: search, presets to start from, and a count for each. */
export function FurniturePicker({ id, error, selected, onChange }: FurniturePickerProps) {
  const catalogue = useQuery(catalogueQuery);
  return (
    <QueryState query={catalogue} rows={6} height={44}>
      {(known) => <Picker catalogue={known} id={id} error={error} selected={selected} onChange={onChange} />}
    </QueryState>
  );
}

function Picker({
  catalogue,
  id,
  error,
  selected,
  onChange,
}: FurniturePickerProps & { catalogue: FurnitureCatalogue }) {
  const { t } = useTranslation(['furniture', 'common', 'domain']);
  const language = useLanguage();
  const [query, setQuery] = useState('');
  const [chosenOnly, setChosenOnly] = useState(false);
  const [replacing, setReplacing] = useState<FurniturePreset | null>(null);

  const { data: items, presets } = catalogue;
  const counts = new Map(selected.map((item) => [item.id, item.quantity]));
  const sum = totals(selected, items);
  const filtering = query.trim() !== '' || chosenOnly;
  const shown = items.filter(
    (item) => (query.trim() === '' || matches(item, query, language)) && (!chosenOnly || counts.has(item.id)),
  );
  // a typical list as it came is nobody's own work
  const touched = selected.length > 0 && !presets.some((preset) => sameItems(preset.items, selected));
  const start = (preset: FurniturePreset) => onChange(() => preset.items);
  const setCount = (item: Furniture, quantity: number) => onChange((now) => withQuantity(now, item.id, quantity));

  return (
    <div className={classes['root']}>
      <div role="group" aria-label={t('presets.title')} className={classes['presets']}>
        <span className={classes['presetsTitle']}>{t('presets.title')}</span>
        {presets.map((preset) => (
          <Button
            key={preset.id}
            variant="default"
            size="sm"
            onClick={() => (touched ? setReplacing(preset) : start(preset))}
          >
            {preset.name[language]}
          </Button>
        ))}
      </div>
      <TextInput
        id={id}
        label={t('items.search')}
        type="search"
        value={query}
        error={error}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <div className={classes['totals']} role="status">
        <strong>{t('domain:count.items', { count: sum.count })}</strong>
        <span>{t('domain:furniture.cubicFeet', { volume: formatNumber((sum.tenths / 10).toFixed(1), language) })}</span>
        <span>{t('items.big', { count: sum.big })}</span>
        <span>{t('items.small', { count: sum.small })}</span>
      </div>
      <p className="pg-small pg-muted">{formatSentences([t('items.smallHelp'), t('items.bigHelp')], language)}</p>
      {sum.count > 0 ? (
        <Checkbox
          label={t('items.chosenOnly')}
          checked={chosenOnly}
          onChange={(event) => setChosenOnly(event.currentTarget.checked)}
        />
      ) : null}
      {shown.length === 0 ? (
        <p className="pg-muted" role="status">
          {t('items.none')}
        </p>
      ) : null}
      {categories.map((category) => {
        const group = shown.filter((item) => item.category === category);
        if (group.length === 0) return null;
        const inGroup = group.reduce((count, item) => count + (counts.get(item.id) ?? 0), 0);
        return (
          // a search opens every group it found something in
          <details key={`${category}${filtering}`} className={classes['group']} open={filtering || undefined}>
            <summary>
              <span className={classes['glyph']}>
                <Glyph name={categoryGlyph(category)} size={40} />
              </span>
              <span className={classes['groupName']}>{t(`category.${category}`)}</span>
              {inGroup > 0 ? (
                <span className={classes['badge']}>{t('domain:count.items', { count: inGroup })}</span>
              ) : null}
            </summary>
            <ul>
              {group.map((item) => (
                <li key={item.id} className={classes['item']} data-chosen={counts.has(item.id) || undefined}>
                  <span className={classes['glyph']}>
                    <Glyph name={furnitureGlyph(item.id, item.category)} size={36} />
                  </span>
                  <span className={classes['name']}>
                    {item.name[language]}
                    <span className={classes['volume']}>
                      {t('domain:furniture.cubicFeet', { volume: formatNumber(item.cubicFeet, language) })}
                    </span>
                  </span>
                  <QuantityStepper
                    label={item.name[language]}
                    value={counts.get(item.id) ?? 0}
                    max={200}
                    quietAtMin
                    onChange={(quantity) => setCount(item, quantity)}
                  />
                </li>
              ))}
            </ul>
          </details>
        );
      })}
      <ConfirmDialog
        opened={replacing !== null}
        title={t('presets.replaceTitle')}
        confirmLabel={t('common:action.replace')}
        onCancel={() => setReplacing(null)}
        onConfirm={() => {
          if (replacing) start(replacing);
          setReplacing(null);
        }}
      >
        {t('presets.replaceBody')}
      </ConfirmDialog>
    </div>
  );
}
