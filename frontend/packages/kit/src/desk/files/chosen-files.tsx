import { formatNumber, useLanguage } from '@portage/i18n';
import { IconCheck, IconFile, IconX } from '@tabler/icons-react';
import { type RefObject, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { announce } from '../../announce.tsx';
import { leadBeside } from '../../lead-to-what-comes.ts';
import { DeskButton, IconButton } from '../button/button.tsx';
import classes from './file-drop.module.css';

export interface FileItem {
  key: string;
  name: string;
  /** In bytes. */
  size: number;
  state: 'waiting' | 'sending' | 'done' | 'failed';
  /** Part that is sent, 0 to 1; unknown without. */
  progress?: number;
  /** Why it failed, in words; it stays here. */
  problem?: string;
}

interface ChosenFilesProps {
  files: readonly FileItem[];
  size: (bytes: number) => string;
  /** Gets the focus when the last file is taken away. */
  fallback: RefObject<HTMLElement | null>;
  onRemove: (key: string) => void;
  onRetry: ((key: string) => void) | undefined;
}

export function ChosenFiles({ files, size, fallback, onRemove, onRetry }: ChosenFilesProps) {
  const { t } = useTranslation(['desk', 'common']);
  const language = useLanguage();
  const list = useRef<HTMLUListElement>(null);
  if (files.length === 0) return null;

  const remove = (file: FileItem) => {
    const at = files.indexOf(file);
    onRemove(file.key);
    announce(t('files.removed', { name: file.name }));
    requestAnimationFrame(() => {
      const crosses = list.current?.querySelectorAll<HTMLElement>('[data-remove]');
      (crosses?.[Math.min(at, crosses.length - 1)] ?? fallback.current)?.focus();
    });
  };
  return (
    <ul ref={list} className={classes['list']} aria-label={t('files.list')}>
      {files.map((file) => (
        <li key={file.key} className={classes['file']} data-state={file.state}>
          <span className={classes['sign']}>
            {file.state === 'done' ? (
              <IconCheck size={18} stroke={2} aria-hidden />
            ) : (
              <IconFile size={18} stroke={1.75} aria-hidden />
            )}
          </span>
          <div className={classes['about']}>
            <div className={classes['name']}>{file.name}</div>
            <div className={classes['state']}>
              <span>{size(file.size)}</span>
              <span>{t(`files.state.${file.state}`)}</span>
              {file.state === 'sending' && file.progress !== undefined ? (
                <span>{formatNumber(file.progress, language, { style: 'percent' })}</span>
              ) : null}
            </div>
            {file.state === 'sending' ? (
              <div
                role="progressbar"
                aria-label={t('files.progress', { name: file.name })}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={file.progress === undefined ? undefined : Math.round(file.progress * 100)}
                className={classes['track']}
              >
                <div className={classes['part']} style={{ width: `${(file.progress ?? 0.12) * 100}%` }} />
              </div>
            ) : null}
            {file.state === 'failed' && file.problem ? (
              <p role="alert" className="pg-error">
                {file.problem}
              </p>
            ) : null}
          </div>
          {file.state === 'failed' && onRetry ? (
            <DeskButton
              aria-label={t('files.retryFile', { name: file.name })}
              onClick={(event) => {
                leadBeside(event.currentTarget);
                onRetry(file.key);
              }}
            >
              {t('common:action.retry')}
            </DeskButton>
          ) : null}
          <IconButton
            label={t(file.state === 'sending' ? 'files.stop' : 'files.remove', { name: file.name })}
            data-remove
            onClick={() => remove(file)}
          >
            <IconX size={16} stroke={1.75} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
