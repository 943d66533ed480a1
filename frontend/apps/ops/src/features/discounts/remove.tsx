import { asProblem, type DiscountCode } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Catalogue } from '../../shell/catalogue/use-catalogue.ts';
import { discountQuery, discountsKey, removeDiscount, usesQuery } from './queries.ts';

/** Deletes a code that nobody ever used, and switches off any other; the question says which. */
export function RemoveDiscount({ record, list }: { record: DiscountCode; list: Catalogue }) {
  const { t } = useTranslation('discounts');
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  // a use that was given back counts here, too
  const uses = useInfiniteQuery(usesQuery(record.id)).data?.pages[0]?.total;
  const used = uses !== undefined && uses > 0;
  const remove = useMutation({
    mutationFn: () => removeDiscount(record),
    onSuccess: async () => {
      setAsking(false);
      showToast({ text: t(used ? 'remove.off' : 'remove.deleted', { code: record.code }) });
      if (!used) {
        list.setOpen(null, true);
        queries.removeQueries({ queryKey: discountQuery(record.id).queryKey });
      }
      await queries.invalidateQueries({ queryKey: discountsKey });
    },
    // what a colleague changed meanwhile is read, so that it is looked at before it is pressed again
    onError: () => queries.invalidateQueries({ queryKey: discountsKey }),
  });
  if (uses === undefined || (used && record.disabled)) return null;
  return (
    <>
      <DeskButton
        variant="danger"
        onClick={() => {
          remove.reset();
          setAsking(true);
        }}
      >
        {t(used ? 'remove.switchOff' : 'remove.open')}
      </DeskButton>
      <ConfirmDialog
        opened={asking}
        title={t(used ? 'remove.questionOff' : 'remove.question', { code: record.code })}
        confirmLabel={t(used ? 'remove.switchOff' : 'remove.open')}
        danger
        loading={remove.isPending}
        onConfirm={() => remove.mutate()}
        onCancel={() => setAsking(false)}
      >
        {remove.isError ? (
          <ErrorState failure={asProblem(remove.error)} title={t('remove.failed')} />
        ) : used ? (
          t('remove.used', { count: uses })
        ) : (
          t('remove.unused')
        )}
      </ConfirmDialog>
    </>
  );
}
