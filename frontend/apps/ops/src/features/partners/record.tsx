import type { Partner } from '@portage/api';
import { formatName } from '@portage/i18n';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { Fact, Facts, Section } from '../../shell/catalogue/parts.tsx';
import classes from './record.module.css';

/** A partner: the terms, whom to ask, and where goods are fetched. */
export function PartnerView({ record }: { record: Partner }) {
  const { t } = useTranslation(['partners', 'common']);
  return (
    <>
      <Section title={t('group.partner')}>
        <Facts>
          <Fact name={t('col.rateName')}>{record.rateName ?? t('card.own')}</Fact>
          <Fact name={t('col.terms')}>{t('days', { count: record.netDays })}</Fact>
          <Fact name={t('col.language')}>{record.language ? t(`common:lang.${record.language}`) : null}</Fact>
        </Facts>
        <p>
          <Link to="/invoices/partner/$id" params={{ id: record.id }}>
            {t('invoice')}
          </Link>
        </p>
      </Section>
      <Section title={t('col.contacts')}>
        {record.contacts.length === 0 ? (
          <p className="pg-muted">{t('contacts.none')}</p>
        ) : (
          <ul className={classes['list']}>
            {record.contacts.map(({ name, email, phone }) => (
              <li key={`${name} ${email} ${phone}`}>
                <span>{formatName(name)}</span>
                {phone ? <a href={`tel:${phone}`}>{phone}</a> : null}
                {email ? <a href={`mailto:${email}`}>{email}</a> : null}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title={t('group.addresses')}>
        {record.addresses.length === 0 ? (
          <p className="pg-muted">{t('addresses.none')}</p>
        ) : (
          <ul className={classes['list']}>
            {record.addresses.map(({ unit, fullAddress }) => (
              <li key={`${fullAddress} ${unit}`}>{fullAddress}</li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
