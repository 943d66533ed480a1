import { Checkbox, TextInput } from '@mantine/core';
import { api, asProblem, type DeskDispute, unwrap } from '@portage/api';
import { formatCents, parseCents } from '@portage/domain';
import { formatList, useLanguage } from '@portage/i18n';
import { Dialog, ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import classes from '../record/record.module.css';
import { useShortWhen } from '../record/use-when.ts';
import { useDisputeReason } from './words.ts';

/** What answers a dispute: papers to tick with a note, and what the bank kept. */
export function DisputeDialog({ dispute, onClose }: { dispute: DeskDispute; onClose: () => void }) {
  const { t } = useTranslation(['failed', 'common']);
  const language = useLanguage();
  const when = useShortWhen();
  const queries = useQueryClient();
  const reason = useDisputeReason();
  const [papers, setPapers] = useState(dispute.papers);
  const [fee, setFee] = useState(dispute.fee);
  const cents = parseCents(fee);
  const wrong = cents === null || cents < 0;
  const change = (paper: string, to: { sent?: boolean; note?: string }) =>
    setPapers((all) => all.map((one) => (one.paper === paper ? { ...one, ...to } : one)));
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PUT('/disputes/{id}', {
          params: { path: { id: dispute.id }, header: { 'If-Match': `"${dispute.version}"` } },
          body: {
            papers: papers.map(({ paper, sent, note }) => ({ paper, sent, note })),
            fee: formatCents(cents ?? 0),
          },
        }),
      ),
    onSuccess: () => {
      showToast({ text: t('dispute.saved') });
      onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['desk'] }),
  });
  const facts = [
    reason(dispute.reason),
    dispute.caseNumber ? t('dispute.case', { number: dispute.caseNumber }) : null,
    dispute.replyBy && dispute.state === 'opened' ? t('dispute.until', { when: when(dispute.replyBy) }) : null,
  ].filter((one) => one != null);
  return (
    <Dialog
      opened
      title={t('dispute.title', { code: dispute.shortId })}
      onClose={onClose}
      actions={
        <>
          <DeskButton onClick={onClose}>{t('common:action.cancel')}</DeskButton>
          <DeskButton variant="primary" disabled={wrong} busy={save.isPending} onClick={() => save.mutate()}>
            {t('common:action.save')}
          </DeskButton>
        </>
      }
    >
      <div className={classes['form']}>
        <p>{formatList(facts, language)}</p>
        <p>{t('dispute.help')}</p>
        {papers.map((one) => (
          <div key={one.paper}>
            <Checkbox
              label={t(`paper.${one.paper}`)}
              description={one.by && one.at ? t('dispute.by', { name: one.by, when: when(one.at) }) : null}
              checked={one.sent}
              onChange={(event) => change(one.paper, { sent: event.currentTarget.checked })}
            />
            <TextInput
              aria-label={t('dispute.note', { paper: t(`paper.${one.paper}`) })}
              placeholder={t('dispute.noteHint')}
              maxLength={500}
              value={one.note}
              onChange={(event) => change(one.paper, { note: event.currentTarget.value })}
            />
          </div>
        ))}
        <TextInput
          label={t('dispute.fee')}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={fee}
          error={wrong ? t('dispute.feeWrong') : undefined}
          onChange={(event) => setFee(event.currentTarget.value)}
        />
        {save.isError ? <ErrorState led failure={asProblem(save.error)} title={t('refused')} /> : null}
      </div>
    </Dialog>
  );
}
