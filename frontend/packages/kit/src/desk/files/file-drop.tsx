import { formatNumber, type Language, useLanguage } from '@portage/i18n';
import { IconUpload } from '@tabler/icons-react';
import { type DragEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { announce } from '../../announce.tsx';
import { DeskButton } from '../button/button.tsx';
import { checkFiles, type FileRules, type RefusedFile, sizeUnit } from './check-files.ts';
import classes from './file-drop.module.css';
import { ChosenFiles, type FileItem } from './chosen-files.tsx';

interface FileDropProps extends FileRules {
  label: string;
  /** The kinds of files in words: "PDF or photo". */
  kinds: string;
  files: readonly FileItem[];
  /** Files that passed the rules. Where there can be one only, it takes the place of the one that is there. */
  onAdd: (files: File[]) => void;
  onRemove: (key: string) => void;
  onRetry?: (key: string) => void;
  disabled?: boolean;
}

export function sizeText(bytes: number, language: Language): string {
  const { value, unit } = sizeUnit(bytes);
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  return formatNumber(value, language, {
    style: 'unit',
    unit,
    unitDisplay,
    maximumFractionDigits: value < 100 ? 1 : 0,
  });
}

/** Area with a button that asks for files; files can also be dropped on it. It says which files it takes and why it refused one. */
export function FileDrop({ label, kinds, files, onAdd, onRemove, onRetry, disabled = false, ...rules }: FileDropProps) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  /** Parts of the field the pointer is in: entering a child comes before leaving the parent. */
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<readonly RefusedFile[]>([]);

  const size = (bytes: number) => sizeText(bytes, language);
  const take = (list: FileList | null | undefined) => {
    if (disabled || !list || list.length === 0) return;
    // a corrected file is chosen to be used instead: nothing has to be removed first
    const sorted = checkFiles([...list], rules, rules.maxFiles === 1 ? [] : files);
    setRefused(sorted.refused);
    if (sorted.taken.length > 0) {
      onAdd(sorted.taken);
      announce(t('files.added', { count: sorted.taken.length }));
    }
  };
  const reason = ({ name, size: bytes, reason: why }: RefusedFile) => {
    switch (why) {
      case 'type':
        return t('files.refusedType', { name, kinds });
      case 'size':
        return t('files.refusedSize', { name, size: size(bytes), max: size(rules.maxBytes) });
      case 'empty':
        return t('files.refusedEmpty', { name });
      case 'twice':
        return t('files.refusedTwice', { name });
      case 'count':
        return t('files.refusedCount', { name, count: rules.maxFiles ?? 0 });
    }
  };
  const onDrag = (event: DragEvent, step: 1 | -1) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + step);
    setOver(depth.current > 0 && !disabled);
  };

  return (
    <div className={classes['root']}>
      {/* dropping is an addition: the button in it does the same for every hand and key */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        className={classes['field']}
        data-over={over || undefined}
        data-disabled={disabled || undefined}
        onDragEnter={(event) => onDrag(event, 1)}
        onDragLeave={(event) => onDrag(event, -1)}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          depth.current = 0;
          setOver(false);
          take(event.dataTransfer.files);
        }}
      >
        <div className="pg-label" id={`${id}-label`}>
          {label}
        </div>
        <p id={`${id}-rules`} className={classes['rules']}>
          {rules.maxFiles === undefined
            ? t('files.rules', { kinds, max: size(rules.maxBytes) })
            : t('files.rulesWithCount', { kinds, max: size(rules.maxBytes), count: rules.maxFiles })}
        </p>
        <div className={classes['row']}>
          <DeskButton
            ref={button}
            id={`${id}-button`}
            disabled={disabled}
            icon={<IconUpload size={18} stroke={1.75} aria-hidden />}
            aria-labelledby={`${id}-button ${id}-label`}
            aria-describedby={`${id}-rules`}
            onClick={() => input.current?.click()}
          >
            {t('files.choose')}
          </DeskButton>
          <span className={classes['or']} aria-hidden>
            {over ? t('files.drop') : t('files.orDrop')}
          </span>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          data-testid="file-input"
          multiple={rules.maxFiles !== 1}
          accept={rules.accept.join()}
          onChange={(event) => {
            take(event.currentTarget.files);
            // the same file chosen again is a change again
            event.currentTarget.value = '';
          }}
        />
      </div>
      <div role="alert">
        {refused.length > 0 ? (
          <ul className={classes['refused']} aria-label={t('files.refused')}>
            {refused.map((one, index) => (
              <li key={`${one.name}-${index}`} className="pg-error">
                {reason(one)}
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <ChosenFiles files={files} size={size} fallback={button} onRemove={onRemove} onRetry={onRetry} />
    </div>
  );
}
