import type { StoredCard } from '@portage/api';
import { ChoiceGroup } from '@portage/kit';
import { useCardName } from '@portage/payments';
import { useTranslation } from 'react-i18next';

/** Lets the person choose between the stored card and another one. */
export function StoredCardChoice({
  card,
  another,
  onChange,
}: {
  card: StoredCard;
  another: boolean;
  onChange: (another: boolean) => void;
}) {
  const { t } = useTranslation(['payment', 'payments']);
  const cardName = useCardName();
  return (
    <div style={{ marginBottom: 20 }}>
      <ChoiceGroup
        legend={t('stored.legend')}
        legendHidden
        name="card-choice"
        columns="list"
        value={another ? 'another' : 'stored'}
        choices={[
          {
            value: 'stored',
            label: t('payments:card.ending', { brand: cardName(card.brand), last4: card.last4 }),
            description: t('payments:card.expires', { expiry: card.expiry }),
          },
          { value: 'another', label: t('payments:card.another') },
        ]}
        onChange={(value) => onChange(value === 'another')}
      />
    </div>
  );
}
