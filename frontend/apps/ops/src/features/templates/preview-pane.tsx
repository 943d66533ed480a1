import { NativeSelect, TextInput } from '@mantine/core';
import { asProblem, type TemplatePreview } from '@portage/api';
import type { Language } from '@portage/i18n';
import { ErrorState, Notice } from '@portage/kit';
import { Tabs } from '@portage/kit/desk/tabs';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useSettled } from '../../shell/use-settled.ts';
import { framed } from '../../shell/messages/framed.ts';
import { type Asked, bookingsQuery, previewQuery, type Which } from './queries.ts';
import classes from './templates.module.css';

const views = ['wide', 'phone', 'dark', 'plain'] as const;
type View = (typeof views)[number];

interface PreviewPaneProps {
  which: Which;
  asked: Asked;
  aboutBooking: boolean;
  /** A text message: plain words, and the parts it is billed as. */
  isText: boolean;
  onBooking: (id: string | null) => void;
}

/** The message as it will be: what the server fills in is what it mails. */
export function PreviewPane({ which, asked, aboutBooking, isText, onBooking }: PreviewPaneProps) {
  const { t } = useTranslation('templates');
  const settled = useSettled(asked);
  const preview = useQuery(previewQuery(which, settled));
  return (
    <section className={classes['preview']} aria-label={t('preview')}>
      {aboutBooking ? <BookingChoice chosen={asked.bookingId} onChoose={onBooking} /> : null}
      {preview.isError ? <ErrorState failure={asProblem(preview.error)} title={t('unreadable')} /> : null}
      {preview.data ? (
        <>
          {asked.bookingId && preview.data.isSample ? <Notice>{t('sample')}</Notice> : null}
          {preview.data.unsupportedKeys.length > 0 ? (
            <Notice tone="warning" title={t('unsupported')}>
              {preview.data.unsupportedKeys.join(', ')}
            </Notice>
          ) : null}
          {isText ? (
            <TextShown language={which.language} preview={preview.data} />
          ) : (
            <MailShown language={which.language} preview={preview.data} />
          )}
        </>
      ) : null}
    </section>
  );
}

interface ShownProps {
  language: Language;
  preview: TemplatePreview;
}

/** A mail as it will look, in one of its forms. */
function MailShown({ language, preview }: ShownProps) {
  const { t } = useTranslation('templates');
  const [view, setView] = useState<View>('wide');
  return (
    <>
      <p className={classes['subject']} lang={language}>
        <strong>{preview.subject}</strong>
      </p>
      <Tabs
        label={t('preview')}
        tabs={views.map((key) => ({ key, label: t(`view.${key}`) }))}
        value={view}
        onChange={setView}
      >
        {(shown) =>
          shown === 'plain' ? (
            <pre
              className={classes['plain']}
              // it scrolls by keyboard, too
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              lang={language}
              aria-label={t('view.plain')}
              role="region"
            >
              {preview.text}
            </pre>
          ) : (
            <iframe
              className={classes['frame']}
              data-view={shown}
              title={t('frame')}
              // no scripts, no forms, no way out
              sandbox=""
              srcDoc={framed(preview.html, shown === 'dark')}
            />
          )
        }
      </Tabs>
    </>
  );
}

/** A text as it will be read, with what it takes on the air. */
function TextShown({ language, preview }: ShownProps) {
  const { t } = useTranslation('templates');
  const segments = preview.segments;
  return (
    <>
      <p className={classes['bubble']} lang={language} data-testid="text-preview">
        {preview.text}
      </p>
      {segments ? (
        <p className="pg-help">
          {segments.encoding === 'gsm7'
            ? t('segments.gsm7', { parts: segments.parts, units: segments.units })
            : t('segments.ucs2', { parts: segments.parts, units: segments.units })}
        </p>
      ) : null}
    </>
  );
}

interface BookingChoiceProps {
  chosen: string | null;
  onChoose: (id: string | null) => void;
}

/** Of which booking the message is: one that a few words find, or the sample. */
function BookingChoice({ chosen, onChoose }: BookingChoiceProps) {
  const { t } = useTranslation('templates');
  const [typed, setTyped] = useState('');
  const found = useQuery(bookingsQuery(useSettled(typed.trim())));
  return (
    <div className={classes['booking']}>
      <TextInput
        label={t('booking.find')}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('booking')}
        value={chosen ?? ''}
        onChange={(event) => onChoose(event.currentTarget.value || null)}
        data={[
          { value: '', label: t('booking.sample') },
          ...(found.data?.data ?? []).map((one) => ({ value: one.id, label: `${one.shortId} · ${one.customerName}` })),
        ]}
      />
    </div>
  );
}
