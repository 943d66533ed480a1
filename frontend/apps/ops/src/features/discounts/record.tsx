import type { DiscountCode } from '@portage/api';
import { formatItems, formatNumber, useLanguage } from '@portage/i18n';
import { useTranslation } from 'react-i18next';

import { Fact, Facts, Section } from '../../shell/catalogue/parts.tsx';
import { Uses } from './uses.tsx';
import { useDiscountWords } from './words.ts';

/** A code: what it takes off, when and for whom, and who used it. */
export function DiscountView({ record }: { record: DiscountCode }) {
  const { t } = useTranslation(['discounts', 'domain']);
  const language = useLanguage();
  const words = useDiscountWords();
  const provinces = record.provinces.map((one) => t(`domain:province.${one}`));
  const kinds = record.kinds.map((one) => t(`domain:moveKind.${one}`));
  const most = record.maxUsesPerCustomer;
  return (
    <>
      <Section title={t('group.off')}>
        <Facts>
          <Fact name={t('col.off')}>{words.off(record)}</Fact>
          <Fact name={t('col.move')}>{words.move(record)}</Fact>
          <Fact name={t('col.booking')}>{words.booking(record)}</Fact>
          <Fact name={t('field.provinces')}>
            {provinces.length > 0 ? formatItems(provinces, language) : t('provinces.all')}
          </Fact>
          <Fact name={t('field.kinds')}>{kinds.length > 0 ? formatItems(kinds, language) : t('kinds.all')}</Fact>
        </Facts>
      </Section>
      <Section title={t('group.limits')}>
        <Facts>
          <Fact name={t('col.uses')}>{words.uses(record)}</Fact>
          <Fact name={t('field.maxUses')}>
            {record.maxUses ? formatNumber(record.maxUses, language) : t('unlimited')}
          </Fact>
          <Fact name={t('perCustomer')}>{most ? t('perCustomer.most', { count: most }) : t('unlimited')}</Fact>
          <Fact name={t('first.which')}>{record.firstBookingOnly ? t('first.only') : t('first.any')}</Fact>
        </Facts>
      </Section>
      <Uses id={record.id} />
    </>
  );
}
