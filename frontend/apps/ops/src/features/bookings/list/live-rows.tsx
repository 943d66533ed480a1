import { type DeskBooking, type DeskPage } from '@portage/api';
import { queryClient } from '@portage/frame';
import { formatNumber, useLanguage } from '@portage/i18n';
import { leadBeside } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useChanges } from '../../../shell/live.ts';
import { bookingQuery } from '../record/queries.ts';
import { viewsQuery } from './queries.ts';

interface LiveRowsProps {
  queryKey: QueryKey;
  rows: readonly DeskBooking[];
  onShow: () => void;
}

/**
 * What others change shows in its row, where it stands: rows never move under the pointer. What is not among the rows is
 * counted, and a press shows it.
 */
export function LiveRows({ queryKey, rows, onShow }: LiveRowsProps) {
  const { t } = useTranslation('bookings');
  const language = useLanguage();
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set());
  const [shownBy, setShownBy] = useState(rows);
  if (shownBy !== rows) {
    setShownBy(rows);
    if (others.size > 0 && rows.some((row) => others.has(row.id))) setOthers(new Set());
  }
  useChanges(({ kind, id }) => {
    if (kind !== 'booking') return;
    void queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey });
    if (!rows.some((row) => row.id === id)) {
      setOthers((now) => new Set([...now, id]));
      return;
    }
    queryClient.fetchQuery({ ...bookingQuery(id), staleTime: 0 }).then(
      (fresh: DeskBooking) =>
        queryClient.setQueryData(queryKey, (page: DeskPage | undefined) =>
          page ? { ...page, data: page.data.map((row) => (row.id === id ? fresh : row)) } : page,
        ),
      () => setOthers((now) => new Set([...now, id])),
    );
  });
  if (others.size === 0) return null;
  return (
    <DeskButton
      onClick={(event) => {
        leadBeside(event.currentTarget);
        setOthers(new Set());
        onShow();
      }}
    >
      {t('list.changed', { count: others.size, shown: formatNumber(others.size, language) })}
    </DeskButton>
  );
}
