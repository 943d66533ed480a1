import type { TemplateWords } from '@portage/api';
import { ConfirmDialog } from '@portage/frame';
import { useTranslation } from 'react-i18next';

import type { Acts } from './use-acts.ts';

/** Names the keys that the message does not have, and saves them all the same when somebody says so. */
export function AnywayDialog({ acts, words }: { acts: Acts; words: TemplateWords }) {
  const { t } = useTranslation('templates');
  return (
    <ConfirmDialog
      opened={acts.unsupported !== null}
      title={t('anyway.question')}
      confirmLabel={t('anyway.go')}
      danger
      loading={acts.save.isPending}
      onConfirm={() => acts.save.mutate({ words, force: true })}
      onCancel={() => acts.save.reset()}
    >
      <p>{t('anyway.help')}</p>
      <ul>
        {acts.unsupported?.map((key) => (
          <li key={key}>
            <code>{key}</code>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

interface RestoreDialogProps {
  acts: Acts;
  opened: boolean;
  onClose: () => void;
}

/** Asks before the shipped words count again. */
export function RestoreDialog({ acts, opened, onClose }: RestoreDialogProps) {
  const { t } = useTranslation('templates');
  return (
    <ConfirmDialog
      opened={opened}
      title={t('restore.question')}
      confirmLabel={t('restore')}
      loading={acts.restore.isPending}
      onConfirm={() => acts.restore.mutate(undefined, { onSettled: onClose })}
      onCancel={onClose}
    >
      {t('restore.help')}
    </ConfirmDialog>
  );
}
