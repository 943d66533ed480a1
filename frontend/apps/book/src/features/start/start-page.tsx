import { Button } from '@mantine/core';
import { AddressLine, Glyph, StartTime, usePolicyValues } from '@portage/domain';
import { ConfirmDialog, LinkButton, useConfig } from '@portage/frame';
import { formatList, useLanguage } from '@portage/i18n';
import { Notice, PageHeading } from '@portage/kit';
import { IconCheck } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { inProgress, itemCount } from '../../booking/draft/draft.ts';
import { draftStore, useDraft } from '../../booking/draft/draft-store.ts';
import { placed } from '../../booking/draft/ends.ts';
import {
  allDone,
  canOpenFromStart,
  stepDone,
  type StepId,
  stepIds,
  stepPaths,
  stepState,
} from '../../booking/draft/steps.ts';
import { useEstimate } from '../../booking/estimate/estimate-context.tsx';
import { releaseHold } from '../../booking/hold/use-hold.ts';
import { isBookingUnanswered } from '../../booking/checkout/unanswered-booking.ts';
import { AreaNotice } from '../../booking/wizard/area-notice.tsx';
import { Way } from '../../booking/wizard/way.tsx';
import { AddressPair } from './address-pair.tsx';
import classes from './start-page.module.css';

/** The start: both addresses with the first price, Next, which leads to the quote once all three steps are complete, and the steps as three numbered circles. */
export function StartPage() {
  const { t } = useTranslation(['start', 'domain', 'kit', 'wizard']);
  const language = useLanguage();
  const policy = useConfig()?.policy;
  const values = usePolicyValues(policy?.figures);
  const draft = useDraft();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const { refused } = useEstimate();

  const { pickup, dropoff } = draft.ends;
  const done = allDone(draft);
  // with both addresses there, how one gets in and out is still to be looked at once
  const open = stepIds.find((step) => !stepDone(draft, step) || (step === 1 && !draft.locationsConfirmed && !done));
  // what is refused for its addresses is told there, whatever else is done
  const next = refused !== null ? stepPaths[1] : done ? '/quote' : stepPaths[open ?? 1];
  const onward = useRef<HTMLAnchorElement>(null);

  const answers: Record<StepId, ReactNode> = {
    1:
      placed(pickup) && placed(dropoff) ? (
        <>
          <AddressLine address={pickup.place.address} unit={pickup.unit} />
          <AddressLine address={dropoff.place.address} unit={dropoff.unit} />
        </>
      ) : (
        t('start:locations.hint')
      ),
    2: stepDone(draft, 2)
      ? formatList(
          [t('domain:count.items', { count: itemCount(draft) }), t('domain:count.mates', { count: draft.mateCount })],
          language,
        )
      : t('start:moveType.hint'),
    3: draft.date ? (
      <StartTime date={draft.date} time={draft.time} startsAt={draft.startsAt} />
    ) : (
      t('start:schedule.hint')
    ),
  };
  const names = { 1: t('wizard:step.locations'), 2: t('wizard:step.moveType'), 3: t('wizard:step.schedule') };

  return (
    <div className={classes['root']}>
      <PageHeading title={t('start:title')} lead={t('start:lead')} />
      <section className={classes['question']} aria-label={t('domain:end.both')}>
        <AddressPair next={onward} />
        <AreaNotice />
        <Way />
        <div className={classes['actions']}>
          <LinkButton ref={onward} size="lg" to={next} data-onward>
            {t('start:next')}
          </LinkButton>
          {inProgress(draft) && draft.editing === null ? (
            <Button variant="subtle" color="spruce" onClick={() => setAsking(true)}>
              {t('start:startOver.go')}
            </Button>
          ) : null}
        </div>
      </section>
      <ol className={classes['circles']} aria-label={t('wizard:stepper.label')}>
        {stepIds.map((step) => {
          const state = stepState(draft, step);
          const content = (
            <>
              <span className={classes['dot']} aria-hidden>
                {state === 'complete' ? <IconCheck size={26} stroke={2.5} /> : step}
              </span>
              <span className={classes['body']}>
                <span className={classes['name']}>{names[step]}</span>
                <span className={classes['answer']}>{answers[step]}</span>
              </span>
              <span className={classes['state']}>{t(`kit:step.${state}`)}</span>
            </>
          );
          return (
            <li key={step} className={classes['item']} data-state={state}>
              {canOpenFromStart(draft, step) ? (
                <Link
                  to={stepPaths[step]}
                  className={classes['circle']}
                  {...(state === 'current' ? { 'aria-current': 'step' } : {})}
                >
                  {content}
                </Link>
              ) : (
                <span className={classes['circle']} data-locked>
                  {content}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <div className={classes['promises']}>
        <div>
          <Glyph name="truck" />
          <p>{t('start:promise.price')}</p>
        </div>
        {values && policy?.terms.includes('cancelFree') ? (
          <div>
            <Glyph name="box" />
            <p>{t('start:promise.cancel', values)}</p>
          </div>
        ) : null}
        <div>
          <Glyph name="suitcase" />
          <p>
            {values && policy?.figures.freeWindow !== 0 ? t('start:promise.pay', values) : t('start:promise.payShown')}
          </p>
        </div>
        <div>
          <Glyph name="portage" />
          <p>{t('start:promise.area')}</p>
        </div>
      </div>
      <p className={classes['credit']}>
        {t('start:credit')} ·{' '}
        <a href="https://www.geonames.org" rel="noreferrer">
          GeoNames
        </a>
        {' · '}
        <a href="https://creativecommons.org/licenses/by/4.0/" rel="license noreferrer">
          CC BY 4.0
        </a>
      </p>
      <ConfirmDialog
        opened={asking}
        title={t('start:startOver.title')}
        confirmLabel={t('start:startOver.go')}
        danger
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          if (draft.hold) releaseHold(draft.hold.id);
          draftStore.reset();
          void navigate({ to: '/' });
          // the button that asked is gone with the draft; once the dialog is, too
          setTimeout(() => document.querySelector<HTMLElement>('h1')?.focus());
        }}
      >
        {t('start:startOver.body')}
        {isBookingUnanswered() ? <UnansweredBooking /> : null}
      </ConfirmDialog>
    </div>
  );
}

/** Says that a booking was sent whose answer never came. Its texts come when it is needed: hardly anybody sees it. */
function UnansweredBooking() {
  const { t, ready } = useTranslation(['checkout', 'start'], { useSuspense: false });
  if (!ready) return null;
  return (
    <Notice tone="warning" action={<Link to="/payment">{t('unanswered.check')}</Link>}>
      {t('start:startOver.unanswered')}
    </Notice>
  );
}
