import type { Truck } from '@portage/api';
import { useTranslation } from 'react-i18next';

import { LastDay } from '../../shell/catalogue/last-day.tsx';
import { Fact, Facts, Section } from '../../shell/catalogue/parts.tsx';
import { useHubName } from '../../shell/hubs.ts';
import { useSizeText } from './size.ts';

/** A truck: where it stands, and how long its papers count. */
export function TruckView({ record }: { record: Truck }) {
  const { t } = useTranslation(['trucks', 'shell']);
  const hubName = useHubName();
  const size = useSizeText();
  const until = (day: string | null | undefined) => (day ? <LastDay day={day} /> : t('notKept'));
  return (
    <>
      <Section title={t('group.truck')}>
        <Facts>
          <Fact name={t('field.size')}>{size(record.size)}</Fact>
          <Fact name={t('shell:hub.label')}>{hubName(record.hub)}</Fact>
          <Fact name={t('field.plate')}>{record.plate || t('notKept')}</Fact>
        </Facts>
      </Section>
      <Section title={t('group.papers')}>
        <Facts>
          <Fact name={t('field.inspectedUntil')}>{until(record.inspectedUntil)}</Fact>
          <Fact name={t('field.insuredUntil')}>{until(record.insuredUntil)}</Fact>
        </Facts>
      </Section>
    </>
  );
}
