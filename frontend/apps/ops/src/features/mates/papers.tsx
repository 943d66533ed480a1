import type { Mate } from '@portage/api';
import { useTranslation } from 'react-i18next';

import { endsOf, LastDay } from '../../shell/catalogue/last-day.tsx';
import { usePaperKinds } from '../../shell/catalogue/paper-kinds.ts';
import classes from './papers.module.css';

/** The papers of a mate that somebody has to look after, with their alarm. */
export function PaperAlarms({ mate }: { mate: Mate }) {
  const { t } = useTranslation('mates');
  const kinds = usePaperKinds();
  const near = mate.documents.filter(({ expiresOn }) => endsOf(expiresOn) !== 'later');
  if (mate.documents.length === 0) return <span className="pg-muted">{t('none')}</span>;
  if (near.length === 0) return <span className="pg-muted">{t('papers.fine')}</span>;
  return (
    <span className={classes['alarms']}>
      {near.map((paper) => (
        <LastDay
          key={`${paper.kind} ${paper.number} ${paper.expiresOn}`}
          day={paper.expiresOn}
          what={kinds.label(paper.kind)}
        />
      ))}
    </span>
  );
}
