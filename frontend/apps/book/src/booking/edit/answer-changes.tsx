import type { BookingDraftBody } from '@portage/api';
import { AddressLine, useFloorText } from '@portage/domain';
import { catalogueQuery } from '@portage/furniture';
import {
  formatCalendarDate,
  formatDayAndClock,
  formatItems,
  formatList,
  formatWallTime,
  useLanguage,
} from '@portage/i18n';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { useDraft } from '../draft/draft-store.ts';
import { type ChangedAnswer, answersChanged } from './answers-changed.ts';
import classes from './answer-changes.module.css';

/** Each answer that is another one now: what it was, and what it becomes. */
export function AnswerChanges() {
  const { t } = useTranslation(['edit', 'domain']);
  const draft = useDraft();
  const text = useAnswerText();
  const found = answersChanged(draft);
  if (!found || found.changed.length === 0) return null;
  const names: Record<ChangedAnswer, string> = {
    when: t('edit:field.when'),
    pickup: t('domain:end.pickup'),
    pickupAccess: t('edit:field.pickupAccess'),
    dropoff: t('domain:end.dropoff'),
    dropoffAccess: t('edit:field.dropoffAccess'),
    kind: t('edit:field.kind'),
    crew: t('edit:field.crew'),
    items: t('domain:furniture.title'),
    rooms: t('edit:field.rooms'),
    assembly: t('edit:field.assembly'),
    services: t('edit:field.services'),
    discount: t('edit:field.discount'),
    comments: t('edit:field.comments'),
  };
  return (
    <section aria-labelledby="edit-changes" className={classes['root']}>
      <h3 id="edit-changes">{t('edit:changes')}</h3>
      <dl>
        {found.changed.map((answer) => (
          <div key={answer} className={classes['row']}>
            <dt>{names[answer]}</dt>
            <FromTo before={text(answer, found.before)} after={text(answer, found.after)} />
            {answer === 'items' ? <Pieces before={found.before} after={found.after} /> : null}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Crossed out and replaced; words say for screen readers which is which. */
function FromTo({ before, after }: { before: ReactNode; after: ReactNode }) {
  const { t } = useTranslation('edit');
  return (
    <>
      <dd className={classes['before']}>
        <span className={classes['unseen']}>{t('was')}</span>
        <s>{before}</s>
      </dd>
      <dd className={classes['after']}>
        <IconArrowRight size={16} stroke={2} aria-hidden />
        <span className={classes['unseen']}>{t('becomes')}</span>
        <span>{after}</span>
      </dd>
    </>
  );
}

type Said = BookingDraftBody['selectedFurnitures'];

/** The pieces whose number is another one. */
function Pieces({ before, after }: { before: BookingDraftBody; after: BookingDraftBody }) {
  const { t } = useTranslation('edit');
  const language = useLanguage();
  const catalogue = useQuery(catalogueQuery);
  const numbers = (said: Said) => new Map((said ?? []).map(({ id, quantity }) => [id, quantity]));
  const [had, has] = [numbers(before.selectedFurnitures), numbers(after.selectedFurnitures)];
  const names = new Map((catalogue.data?.data ?? []).map((item) => [item.id, item.name[language]]));
  const pieces = [...new Set([...had.keys(), ...has.keys()])].filter((id) => had.get(id) !== has.get(id));
  return (
    <dd className="pg-small pg-muted">
      {formatItems(
        pieces.map((id) =>
          t('piece', { piece: names.get(id) ?? id, before: had.get(id) ?? 0, after: has.get(id) ?? 0 }),
        ),
        language,
      )}
    </dd>
  );
}

function useAnswerText(): (answer: ChangedAnswer, said: BookingDraftBody) => ReactNode {
  const { t } = useTranslation(['edit', 'domain']);
  const language = useLanguage();
  const floorText = useFloorText();
  const none = t('edit:none');
  const access = (said: BookingDraftBody, end: 'pickup' | 'dropoff') => {
    const [floor, elevators] = [said[`${end}Floor`] ?? 0, said[`${end}HasElevator`] ?? 0];
    const category = said[`${end}Category`];
    return [
      ...(category ? [t(`domain:category.${category}`)] : []),
      floorText(floor),
      elevators === 0 ? t('domain:access.noElevator') : t('domain:access.elevators', { count: elevators }),
      t(said[`${end}HasParking`] ? 'domain:access.parking' : 'domain:access.noParking'),
      t(`domain:access.carry.${said[`${end}Accessibility`] ?? 'easy'}`),
      said[`${end}Details`] ?? '',
    ]
      .filter(Boolean)
      .join(' · ');
  };
  const place = (said: BookingDraftBody, end: 'pickup' | 'dropoff') => {
    const address = said[end];
    if (!address) return none;
    const { country, province, postalCode, city, street, fullAddress } = address;
    const parts = { country, province, postalCode, city, street, unit: '', fullAddress };
    const known = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part ?? '']));
    return <AddressLine address={known as Record<keyof typeof parts, string>} unit={said[`${end}AptUnit`] ?? ''} />;
  };
  // by the clock at the pickup: the answers of a draft have no instant
  const start = (date: string, time: string | null | undefined) => {
    const day = formatCalendarDate(date, language, { dateStyle: 'full' });
    return time ? formatDayAndClock(day, formatWallTime(time, language), language) : day;
  };
  return (answer, said) => {
    switch (answer) {
      case 'when':
        return said.date ? start(said.date, said.time) : none;
      case 'pickup':
      case 'dropoff':
        return place(said, answer);
      case 'pickupAccess':
        return access(said, 'pickup');
      case 'dropoffAccess':
        return access(said, 'dropoff');
      case 'kind':
        return said.bookingType ? t(`domain:moveKind.${said.bookingType}`) : none;
      case 'crew':
        return formatList(
          [
            t('domain:count.mates', { count: said.mateCount ?? 0 }),
            ...(said.clientAsMate ? [t('domain:crew.client')] : []),
            ...(said.justMates ? [t('domain:crew.noTruck')] : []),
            ...(said.rideAlong ? [t('domain:crew.rideAlong')] : []),
          ],
          language,
        );
      case 'items':
        return t('domain:count.items', {
          count: (said.selectedFurnitures ?? []).reduce((sum, { quantity }) => sum + quantity, 0),
        });
      case 'rooms': {
        const { bedrooms = 0, rooms = 0 } = said.rooms ?? {};
        return t('edit:rooms', { bedrooms, rooms });
      }
      case 'assembly':
        return t(said.assembly === false ? 'edit:assembly.no' : 'edit:assembly.yes');
      case 'services': {
        const names = (said.extraServices ?? []).map((service) => t(`domain:lineCode.${service}`));
        return names.length === 0 ? none : formatItems(names, language);
      }
      case 'discount':
        return said.discountCode || none;
      case 'comments':
        return said.comments || none;
    }
  };
}
