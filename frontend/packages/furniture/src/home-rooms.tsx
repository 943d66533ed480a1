import { Button } from '@mantine/core';
import type { FurnitureCatalogue, SelectedFurniture } from '@portage/api';
import { useLanguage } from '@portage/i18n';
import { Notice, QuantityStepper } from '@portage/kit';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from './home-rooms.module.css';
import { mostRooms, roomCount, type Rooms, roomsOf, typicalItems, untouched, withTypical } from './rooms.ts';

interface HomeRoomsProps {
  catalogue: FurnitureCatalogue;
  rooms: Rooms;
  onRooms: (rooms: Rooms) => void;
  selected: SelectedFurniture[];
  onChange: (change: (selected: SelectedFurniture[]) => SelectedFurniture[]) => void;
}

const pieces = (items: SelectedFurniture[]) => items.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * The rooms first: they propose a list. One that nobody has touched follows them; what somebody chose stays as it is until
 * they take the proposal.
 */
export function HomeRooms({ catalogue, rooms: said, onRooms, selected, onChange }: HomeRoomsProps) {
  const { t } = useTranslation(['furniture', 'domain', 'common']);
  const language = useLanguage();
  const [offered, setOffered] = useState(false);
  /** The list before the last proposal was taken. */
  const [before, setBefore] = useState<SelectedFurniture[] | null>(null);
  const rooms = roomsOf(said, selected, catalogue);
  const typical = typicalItems(rooms, catalogue);
  const more = pieces(withTypical(selected, typical)) - pieces(selected);
  const homes = useRef<HTMLDivElement>(null);
  const list = useId();
  // on a phone further rooms are asked for; those that were said are seen at once
  const [opened, setOpened] = useState(() => catalogue.rooms.some((room) => roomCount(rooms, room.id) > 0));
  /** The list has all of it: an inventory that was only proposed is not chosen. */
  const holds = (items: SelectedFurniture[]) => pieces(withTypical(selected, items)) === pieces(selected);

  const say = (next: Rooms) => {
    setBefore(null);
    onRooms(next);
    if (untouched(selected, rooms, catalogue)) {
      setOffered(false);
      onChange(() => typicalItems(next, catalogue));
    } else setOffered(true);
  };
  const take = (change: (now: SelectedFurniture[]) => SelectedFurniture[]) => {
    setBefore(selected);
    setOffered(false);
    onChange(change);
  };

  return (
    <>
      <div role="group" aria-label={t('presets.title')} ref={homes} tabIndex={-1} className={classes['homes']}>
        <span className={classes['title']}>{t('presets.title')}</span>
        {catalogue.presets.map((preset) => (
          <button
            key={preset.id}
            type="button"
            className={classes['home']}
            aria-pressed={rooms.home === preset.id && selected.length > 0 && holds(preset.items)}
            onClick={() => say({ ...rooms, home: preset.id })}
          >
            <span className={classes['homeName']}>{preset.name[language]}</span>
            <span className={classes['homeItems']} aria-hidden>
              {t('domain:count.items', { count: pieces(preset.items) })}
            </span>
          </button>
        ))}
      </div>
      <Button
        className={classes['further'] ?? ''}
        variant="default"
        fullWidth
        aria-expanded={opened}
        aria-controls={list}
        onClick={() => setOpened(!opened)}
      >
        {t('rooms.title')}
      </Button>
      <ul id={list} className={classes['rooms']} data-opened={opened || undefined} aria-label={t('rooms.title')}>
        {catalogue.rooms.map((room) => (
          <li key={room.id} className={classes['room']}>
            <span aria-hidden>{room.name[language]}</span>
            <QuantityStepper
              label={room.name[language]}
              value={roomCount(rooms, room.id)}
              max={mostRooms}
              quietAtMin
              onChange={(count) => say({ ...rooms, more: { ...rooms.more, [room.id]: count } })}
            />
          </li>
        ))}
      </ul>
      {offered ? (
        <Notice
          tone="info"
          live
          action={
            <div className={classes['actions']}>
              {more > 0 ? (
                <Button size="sm" onClick={() => take((now) => withTypical(now, typical))}>
                  {t('rooms.add', { count: more })}
                </Button>
              ) : null}
              <Button size="sm" variant="default" onClick={() => take(() => typical)}>
                {t('rooms.replace')}
              </Button>
            </div>
          }
        >
          {more > 0 ? t('rooms.proposal', { count: more }) : t('rooms.enough')}
        </Notice>
      ) : null}
      {before ? (
        <Notice
          tone="success"
          live
          led
          action={
            <Button
              size="sm"
              variant="default"
              onClick={() => {
                onChange(() => before);
                setBefore(null);
                homes.current?.focus();
              }}
            >
              {t('rooms.undo')}
            </Button>
          }
        >
          {t('rooms.taken')}
        </Notice>
      ) : null}
    </>
  );
}
