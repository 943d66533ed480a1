import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { asProblem, type TemplateRecord } from '@portage/api';
import { formatNumber, type Language, useLanguage } from '@portage/i18n';
import { ErrorState, Notice, PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useUnsaved } from '../../shell/unsaved.ts';
import { AnywayDialog, RestoreDialog } from './dialogs.tsx';
import { KeyList } from './key-list.tsx';
import { useTypeName } from '../../shell/messages/type-name.ts';
import { PreviewPane } from './preview-pane.tsx';
import type { Which } from './queries.ts';
import classes from './templates.module.css';
import { useActs } from './use-acts.ts';
import { partOf, type Part, wordsOf } from './words.ts';
import { Versions } from './versions.tsx';

/** Bytes of the largest file that is taken up: all parts of a message together are a request of at most 1 MB. */
const largestFile = 256 * 1024;

/** In whole kilobytes, so that what is too large never reads like what is allowed. */
const kilobytes = (bytes: number, language: Language) => formatNumber(Math.ceil(bytes / 1024), language);

interface EditorProps {
  which: Which;
  saved: TemplateRecord;
  onSaved: (template: TemplateRecord) => void;
}

/** The source of a message with its keys, beside the message as it will be. */
export function Editor({ which, saved, onSaved }: EditorProps) {
  const { t } = useTranslation(['templates', 'common']);
  const language = useLanguage();
  const nameOf = useTypeName();
  const [words, setWords] = useState(() => wordsOf(saved));
  const [booking, setBooking] = useState<string | null>(null);
  const [restoring, setRestoring] = useState(false);
  const fields = useRef<Partial<Record<Part, HTMLInputElement | HTMLTextAreaElement | null>>>({});
  const isText = saved.channel === 'sms';
  const last = useRef<Part>(isText ? 'text' : 'html');
  const search = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const [refusedFile, setRefusedFile] = useState<File | null>(null);
  const dirty = JSON.stringify(words) !== JSON.stringify(wordsOf(saved));
  useUnsaved(dirty);
  const acts = useActs(which, saved.version, onSaved);
  const { attachment: _, ...source } = words;
  const asked = { ...source, bookingId: booking };

  const insert = (key: string) => {
    const part = last.current;
    const field = fields.current[part];
    if (!field) return;
    const tag = part === 'html' && saved.blocks.includes(key) ? `{{{${key}}}}` : `{{${key}}}`;
    const [from, to] = [field.selectionStart ?? words[part].length, field.selectionEnd ?? words[part].length];
    setWords({ ...words, [part]: words[part].slice(0, from) + tag + words[part].slice(to) });
    field.focus();
    // once the field has the new text
    requestAnimationFrame(() => field.setSelectionRange(from + tag.length, from + tag.length));
  };
  const bound = (part: Part) => ({
    ref: (element: HTMLInputElement | HTMLTextAreaElement | null) => {
      fields.current[part] = element;
    },
    label: t(`part.${part}`),
    value: words[part],
    onFocus: () => {
      last.current = part;
    },
    onChange: (event: { currentTarget: { value: string } }) =>
      setWords({ ...words, [part]: event.currentTarget.value }),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== ' ' || !event.ctrlKey) return;
      event.preventDefault();
      search.current?.focus();
    },
    spellCheck: false,
    lang: which.language,
    autoComplete: 'off',
  });
  const upload = async (list: FileList | null) => {
    const chosen = list?.[0];
    if (!chosen) return;
    // read into the field it would freeze the page, and the server takes no more in any case
    const tooLarge = chosen.size > largestFile;
    setRefusedFile(tooLarge ? chosen : null);
    if (!tooLarge) setWords({ ...words, [isText ? 'text' : partOf(chosen.name)]: await chosen.text() });
  };

  return (
    <>
      <PageHeading
        title={t('title', { type: nameOf(which.messageType), language: t(`common:lang.${which.language}`) })}
        lead={t(`lead.${saved.origin}`)}
      />
      <div className={classes['acts']}>
        <Link to="/templates" className={classes['open'] ?? ''}>
          {t('back')}
        </Link>
        <DeskButton
          variant="primary"
          busy={acts.save.isPending}
          onClick={() => acts.save.mutate({ words, force: false })}
        >
          {t('common:action.save')}
        </DeskButton>
        <DeskButton busy={acts.test.isPending} onClick={() => acts.test.mutate(asked)}>
          {isText ? t('testText') : t('test')}
        </DeskButton>
        <DeskButton onClick={() => file.current?.click()}>{t('upload')}</DeskButton>
        <input
          ref={file}
          type="file"
          hidden
          aria-label={t('upload')}
          accept={isText ? '.hbs,.txt' : '.html,.htm,.hbs,.txt'}
          onChange={(event) => {
            void upload(event.currentTarget.files);
            event.currentTarget.value = '';
          }}
        />
        {saved.origin === 'changed' ? (
          <DeskButton variant="quiet" onClick={() => setRestoring(true)}>
            {t('restore')}
          </DeskButton>
        ) : null}
      </div>
      {acts.failure ? <ErrorState failure={asProblem(acts.failure)} title={t('refused')} led /> : null}
      {refusedFile ? (
        <Notice tone="error" live led title={t('fileTooLarge')} onDismiss={() => setRefusedFile(null)}>
          {t('fileTooLarge.most', {
            name: refusedFile.name,
            size: kilobytes(refusedFile.size, language),
            most: kilobytes(largestFile, language),
          })}
        </Notice>
      ) : null}
      {saved.unsupportedKeys.length > 0 && !dirty ? (
        <Notice tone="warning" title={t('unsupported')}>
          {saved.unsupportedKeys.join(', ')}
        </Notice>
      ) : null}
      <div className={classes['columns']}>
        <section className={classes['source']} aria-label={t('source')}>
          {isText ? null : (
            <>
              <TextInput {...bound('subject')} />
              <Textarea
                {...bound('html')}
                description={t('htmlHelp')}
                rows={18}
                classNames={{ input: classes['code'] ?? '' }}
              />
            </>
          )}
          <Textarea
            {...bound('text')}
            description={isText ? t('textMessageHelp') : t('textHelp')}
            rows={isText ? 5 : 10}
            classNames={{ input: classes['code'] ?? '' }}
          />
          {saved.commercial ? <p className="pg-help">{t('commercial')}</p> : null}
          {saved.canAttach ? (
            <Checkbox
              label={t('attach')}
              checked={words.attachment}
              onChange={(event) => setWords({ ...words, attachment: event.currentTarget.checked })}
            />
          ) : null}
          <KeyList keys={saved.keys} search={search} onInsert={insert} />
        </section>
        <PreviewPane
          which={which}
          asked={asked}
          aboutBooking={saved.aboutBooking}
          isText={isText}
          onBooking={setBooking}
        />
      </div>
      <Versions which={which} now={words} version={saved.version} onUse={setWords} />
      <AnywayDialog acts={acts} words={words} />
      <RestoreDialog acts={acts} opened={restoring} onClose={() => setRestoring(false)} />
    </>
  );
}
