import { Button } from '@mantine/core';
import { Notice } from '@portage/kit';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { itemCount } from '../draft/draft.ts';
import { useDraft } from '../draft/draft-store.ts';
import { allDone } from '../draft/steps.ts';
import { EditNote, useEditPending } from '../edit/edit-note.tsx';
import { HeaderEstimate } from '../estimate/header-estimate.tsx';
import { MoveSummary } from '../estimate/move-summary.tsx';
import { Header } from '../../shell/header.tsx';
import { LeaveGuard } from './leave-guard-dialog.tsx';
import { useKnownPieces } from './use-known-pieces.ts';
import { useNarrow, useWide } from './use-narrow.ts';
import { useNextPage } from './use-next-page.ts';
import classes from './wizard-layout.module.css';
import { WizardStepper } from './wizard-stepper.tsx';

/** Header with the running estimate (on a phone it stands beside Continue), the stepper, the page, and from 1024 px a summary beside it. */
export function WizardLayout() {
  const { t } = useTranslation(['wizard', 'estimate', 'common']);
  const path = useLocation({ select: (location) => location.pathname });
  // the page that is drawn: the address is a step ahead of it while the next one is fetched, and a new key would begin this one anew
  const drawn = useMatches({ select: (matches) => matches.at(-1)?.pathname }) ?? path;
  const incomplete = useLocation({ select: (location) => location.state.incomplete === true });
  const pending = useEditPending();
  const pieces = useKnownPieces(path);
  const narrow = useNarrow();
  const wide = useWide();
  useNextPage(path);
  const start = path === '/';
  // paid: the draft is empty again, and the page only says so
  const draft = useDraft();
  const over = path === '/payment' && !allDone(draft);
  // neither step nor price of the draft is one of the booking that is asked for
  const aside = wide && !start && !over && !pending;
  return (
    <>
      {/* on a phone the price stands beside Continue, and on the start page beside the addresses */}
      <Header>{over || pending || (narrow && (!start || itemCount(draft) === 0)) ? null : <HeaderEstimate />}</Header>
      {start || over || pending ? null : (
        <div className={classes['bar']}>
          <div className={classes['barInner']}>
            <WizardStepper path={path} />
          </div>
        </div>
      )}
      <div className={classes['wizard']} data-aside={aside || undefined}>
        <main id="content" className={classes['page']} key={drawn} data-path={drawn}>
          <div className={classes['notes']}>
            <EditNote />
            {pieces.gone > 0 ? (
              <Notice
                tone="warning"
                live
                action={
                  <Button size="sm" variant="default" onClick={pieces.dismiss}>
                    {t('common:action.close')}
                  </Button>
                }
              >
                {t('pieces.gone', { count: pieces.gone })}
              </Notice>
            ) : null}
            {incomplete ? (
              <Notice tone="warning" live>
                {t('incomplete')}
              </Notice>
            ) : null}
          </div>
          <div className={classes['enter']}>
            {/* a page reads the draft when it opens, so it waits for the booking it is to change */}
            {pending ? null : <Outlet />}
          </div>
        </main>
        {aside ? (
          <aside className={classes['aside']} aria-label={t('estimate:summary.title')}>
            <MoveSummary />
          </aside>
        ) : null}
      </div>
      <LeaveGuard />
    </>
  );
}
