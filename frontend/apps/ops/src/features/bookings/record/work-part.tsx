import { type DeskBooking } from '@portage/api';
import { useDurationText } from '@portage/domain';
import { formatName } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { CrewPhotosPart } from './crew-photos-part.tsx';
import { workQuery } from './queries.ts';
import classes from './record.module.css';
import { Part, Section } from './section.tsx';
import { useShortWhen } from './use-when.ts';

/** Before somebody is sent, there is nothing of a crew to tell. */
const sent = new Set<DeskBooking['status']>(['assigned', 'completed', 'invoiced', 'payed']);

/** What became of the work: hours as they were beside those planned, and the crew's photos. */
export function WorkPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const work = useQuery({ ...workQuery(booking.id), enabled: sent.has(booking.status) });
  const duration = useDurationText();
  const when = useShortWhen(booking.zone);
  if (!sent.has(booking.status)) return null;
  return (
    <Section title={t('part.work')} money>
      <Part query={work} loading={t('work.loading')} failed={t('work.failed')}>
        {({ plannedMinutes, workedMinutes, crew, photos }) => (
          <>
            <p>
              {typeof workedMinutes === 'number'
                ? t('work.job', { worked: duration(workedMinutes), planned: duration(plannedMinutes) })
                : t('work.planned', { planned: duration(plannedMinutes) })}
            </p>
            <ul className={classes['others']}>
              {crew.map(({ mateId, name, startedAt, finishedAt, workedMinutes: own }) =>
                startedAt ? (
                  <li key={mateId}>
                    {finishedAt && typeof own === 'number'
                      ? t('work.mate', {
                          name: formatName(name),
                          worked: duration(own),
                          from: when(startedAt),
                          until: when(finishedAt),
                        })
                      : t('work.begun', { name: formatName(name), from: when(startedAt) })}
                  </li>
                ) : null,
              )}
            </ul>
            <CrewPhotosPart booking={booking.id} photos={photos} when={when} />
          </>
        )}
      </Part>
    </Section>
  );
}
