import { CheckboxField, Notice } from '@portage/kit';
import { type Control, useController, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';

import { AskPerson } from '../../booking/ask/ask-person.tsx';
import { useLargestCrew } from '../../booking/estimate/rate-card.ts';
import { CrewCards } from './crew-cards.tsx';
import classes from './crew-section.module.css';
import type { MoveValues } from './move-form.ts';

interface CrewSectionProps {
  control: Control<MoveValues>;
  /** So many mates were proposed because fewer are refused; null where nothing was. */
  proposed: number | null;
}

/** Which crew, and whether the customer helps, rides along, or brings a truck of their own. */
export function CrewSection({ control, proposed }: CrewSectionProps) {
  const { t } = useTranslation(['move', 'estimate']);
  const largestCrew = useLargestCrew();
  const { field: mates } = useController({ control, name: 'mateCount' });
  const [clientAsMate, justMates] = useWatch({ control, name: ['clientAsMate', 'justMates'] });
  const most = Math.max(1, largestCrew - (clientAsMate ? 1 : 0));
  return (
    <section className={classes['root']} aria-labelledby="crew-title">
      <h2 id="crew-title">{t('crew.title')}</h2>
      <CrewCards
        value={mates.value}
        most={most}
        proposed={proposed}
        onChange={mates.onChange}
        onBlur={mates.onBlur}
        describedBy="crew-limit"
      />
      {mates.value > most ? (
        <Notice tone="warning" live action={<AskPerson why={['many_mates']} />}>
          {t('crew.tooLarge')}
        </Notice>
      ) : null}
      <p id="crew-limit" className="pg-small pg-muted" hidden={mates.value !== most}>
        {t('crew.limit', { count: largestCrew })}
      </p>
      <CheckboxField
        control={control}
        name="clientAsMate"
        label={t('estimate:warning.helpCarry')}
        description={t('crew.clientAsMateHelp')}
      />
      <CheckboxField
        control={control}
        name="justMates"
        label={t('crew.justMates')}
        description={t('crew.justMatesHelp')}
      />
      <CheckboxField
        control={control}
        name="rideAlong"
        label={t('crew.rideAlong')}
        description={justMates ? t('crew.rideAlongOff') : t('crew.rideAlongHelp')}
        disabled={justMates}
      />
    </section>
  );
}
