import { Checkbox } from '@mantine/core';
import { Notice, QuantityStepper } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { SupportLinks } from '../../shell/chat/support-links.tsx';
import { useOnlineHeads } from '../../booking/estimate/online-heads.ts';
import classes from './crew-section.module.css';

/** How many mates, and whether the customer helps, rides along, or brings a truck of their own. */
export function CrewSection() {
  const { t } = useTranslation(['move', 'estimate']);
  const draft = useDraft();
  const heads = useOnlineHeads();
  const most = Math.max(1, heads - (draft.clientAsMate ? 1 : 0));
  return (
    <section className={classes['root']} aria-labelledby="crew-title">
      <h2 id="crew-title">{t('crew.title')}</h2>
      <div className={classes['row']}>
        <div>
          <div className={classes['label']} aria-hidden>
            {t('crew.mates')}
          </div>
          <p className="pg-small pg-muted">{t('crew.matesHelp')}</p>
        </div>
        <QuantityStepper
          id="mate-count"
          label={t('crew.mates')}
          min={1}
          max={most}
          describedBy="crew-limit"
          value={draft.mateCount}
          onChange={(mateCount) => draftStore.patch({ mateCount, numberOfHelpers: mateCount })}
        />
      </div>
      {draft.mateCount > most ? (
        <Notice tone="warning" live action={<SupportLinks />}>
          {t('crew.tooLarge')}
        </Notice>
      ) : null}
      <p id="crew-limit" className="pg-small pg-muted" hidden={draft.mateCount !== most}>
        {t('crew.limit', { count: heads })}
      </p>
      <Checkbox
        id="client-as-mate"
        label={t('estimate:warning.helpCarry')}
        description={t('crew.clientAsMateHelp')}
        checked={draft.clientAsMate}
        onChange={(event) => draftStore.patch({ clientAsMate: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('crew.justMates')}
        description={t('crew.justMatesHelp')}
        checked={draft.justMates}
        onChange={(event) => {
          const justMates = event.currentTarget.checked;
          // without our truck there is nothing to ride along in
          draftStore.patch({
            justMates,
            ...(justMates ? { rideAlong: false } : {}),
            ...(!justMates && draft.bookingType === 'justMates' ? { bookingType: 'residential' as const } : {}),
          });
        }}
      />
      <Checkbox
        label={t('crew.rideAlong')}
        description={draft.justMates ? t('crew.rideAlongOff') : t('crew.rideAlongHelp')}
        checked={draft.rideAlong}
        disabled={draft.justMates}
        onChange={(event) => draftStore.patch({ rideAlong: event.currentTarget.checked })}
      />
    </section>
  );
}
