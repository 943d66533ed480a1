import { PageHeading } from '@portage/kit';
import { Tabs } from '@portage/kit/desk/tabs';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { AgedPanel } from './aged-panel.tsx';
import { BalancesPanel } from './balances-panel.tsx';
import { DayPanel } from './day-panel.tsx';
import { JournalPanel } from './journal-panel.tsx';
import { MonthsPanel } from './months-panel.tsx';
import { TrustPanel } from './trust-panel.tsx';
import { useAddress } from './use-address.ts';

const parts = ['day', 'months', 'aged', 'journal', 'trust', 'balances'] as const;
const panels = {
  day: DayPanel,
  months: MonthsPanel,
  aged: AgedPanel,
  journal: JournalPanel,
  trust: TrustPanel,
  balances: BalancesPanel,
};

/** The books for whoever does the accounts. */
function BooksPage() {
  const { t } = useTranslation(['books', 'shell']);
  const { part } = useAddress();
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title={t('shell:area.books')} lead={t('lead')} />
      <Tabs
        label={t('shell:area.books')}
        tabs={parts.map((key) => ({ key, label: t(`part.${key}`) }))}
        value={part}
        onChange={(key) => void navigate({ to: '/books', search: { part: key } as never, resetScroll: false })}
        manual
      >
        {(key) => {
          const Panel = panels[key];
          return <Panel />;
        }}
      </Tabs>
    </>
  );
}

export const Route = createLazyRoute('/desk/books')({ component: BooksPage });
