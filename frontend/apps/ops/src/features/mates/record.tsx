import type { Mate } from '@portage/api';
import { formatItems, formatMoney, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { LastDay } from '../../shell/catalogue/last-day.tsx';
import { usePaperKinds } from '../../shell/catalogue/paper-kinds.ts';
import { Fact, Facts, Section } from '../../shell/catalogue/parts.tsx';
import { useHubName } from '../../shell/hubs.ts';
import { feedOfMate } from '../../shell/feed/calls.ts';
import { FeedPart } from '../../shell/feed/feed-part.tsx';
import { useSkills } from './words.ts';

/** A mate: how to reach them, what they can do, and which of their papers still count. */
export function MateView({ record: mate }: { record: Mate }) {
  const { t } = useTranslation(['mates', 'person', 'common', 'catalogue', 'feed']);
  const language = useLanguage();
  const hubName = useHubName();
  const skills = useSkills();
  const kinds = usePaperKinds();
  const list = (values: string[]) => (values.length > 0 ? formatItems(values, language) : t('none'));
  return (
    <>
      <Section title={t('group.person')}>
        <Facts>
          <Fact name={t('person:phone')}>{mate.phone ? <a href={`tel:${mate.phone}`}>{mate.phone}</a> : null}</Fact>
          <Fact name={t('person:email')}>{mate.email ? <a href={`mailto:${mate.email}`}>{mate.email}</a> : null}</Fact>
          <Fact name={t('group.address')}>{mate.address?.fullAddress}</Fact>
          <Fact name={t('catalogue:number.neq')}>{mate.neq}</Fact>
          <Fact name={t('catalogue:number.tps')}>{mate.tps}</Fact>
          <Fact name={t('catalogue:number.tvq')}>{mate.tvq}</Fact>
          <Fact name={t('field.payRate')}>
            {mate.payRate ? t('pay.hour', { amount: formatMoney(mate.payRate, language) }) : null}
          </Fact>
        </Facts>
      </Section>
      <Section title={t('group.can')}>
        <Facts>
          <Fact name={t('col.skills')}>{list(mate.skills.map(skills.label))}</Fact>
          <Fact name={t('col.languages')}>{list(mate.languages.map((one) => t(`common:lang.${one}`)))}</Fact>
          <Fact name={t('col.hubs')}>{mate.hubs.length > 0 ? list(mate.hubs.map(hubName)) : t('hubs.any')}</Fact>
        </Facts>
      </Section>
      <Section title={t('col.papers')}>
        {mate.documents.length === 0 ? (
          <p className="pg-muted">{t('paper.none')}</p>
        ) : (
          <Facts>
            {mate.documents.map(({ kind, number, expiresOn }) => (
              <Fact
                key={`${kind} ${number} ${expiresOn}`}
                name={number ? t('paper.numbered', { kind: kinds.label(kind), number }) : kinds.label(kind)}
              >
                <LastDay day={expiresOn} />
              </Fact>
            ))}
          </Facts>
        )}
      </Section>
      {mate.state === 'archived' ? null : (
        <Section title={t('feed:title')}>
          <FeedPart key={mate.id} calls={feedOfMate(mate.id)} />
        </Section>
      )}
    </>
  );
}
