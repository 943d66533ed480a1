import type { Difference } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { DeskButton } from '@portage/kit/desk/button';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import classes from './reconciliation.module.css';

interface DifferenceItemProps {
  difference: Difference;
  onRepair: (difference: Difference) => void;
}

/** A difference in words, with what puts it right, or what somebody must do. */
export function DifferenceItem({ difference, onRepair }: DifferenceItemProps) {
  const { t } = useTranslation('reconciliation');
  const language = useLanguage();
  const { standing, repair, advice, shortId, bookingId } = difference;
  const when = formatDateTime(difference.changedAt, montrealZone, language);
  const ended = {
    mended: t('standing.mended'),
    gone: t('standing.gone'),
    repaired: difference.changedBy
      ? t('standing.repairedBy', { name: difference.changedBy, when })
      : t('standing.repaired', { when }),
  };
  return (
    <li className={classes['item']} data-standing={standing}>
      <p className={classes['what']}>
        {bookingId && shortId ? (
          <Link to="/bookings/$id" params={{ id: bookingId }} className={classes['code'] ?? ''}>
            {shortId}
          </Link>
        ) : null}
        {difference.text}
      </p>
      <p className={classes['seen']}>
        {t('firstSeen', { when: formatDateTime(difference.firstSeen, montrealZone, language) })}
      </p>
      {standing === 'open' ? (
        <div className={classes['way']}>
          <p>{repair ? repair.text : advice}</p>
          {repair ? (
            <DeskButton onClick={() => onRepair(difference)} aria-label={t('repair.name', { what: difference.text })}>
              {t('repair')}
            </DeskButton>
          ) : (
            <span className={classes['person']}>{t('person')}</span>
          )}
        </div>
      ) : (
        <p className={classes['ended']}>{ended[standing]}</p>
      )}
    </li>
  );
}
