import { Textarea } from '@mantine/core';
import { api, asProblem, type DeskBooking, newIdempotencyKey, unwrap } from '@portage/api';
import { formatName } from '@portage/i18n';
import { ErrorState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useUnsaved } from '../../../shell/unsaved.ts';
import { historyQuery, notesQuery } from './queries.ts';
import classes from './record.module.css';
import { Section } from './section.tsx';
import { useShortWhen } from './use-when.ts';

/** Notes of staff, and those the crew may read. What was typed stays until it is saved. */
export function NotesPart({ booking }: { booking: DeskBooking }) {
  const { t } = useTranslation('record');
  const when = useShortWhen();
  const queries = useQueryClient();
  const notes = useQuery(notesQuery(booking.id));
  const [text, setText] = useState('');
  const [visibility, setVisibility] = useState<'staff' | 'crew'>('staff');
  // one key for one note: a try that is repeated after a lost answer writes it once
  const key = useRef(newIdempotencyKey());
  const field = useRef<HTMLTextAreaElement | null>(null);
  useUnsaved(text.trim() !== '');
  const add = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/bookings/{id}/notes', {
          params: { path: { id: booking.id }, header: { 'Idempotency-Key': key.current } },
          body: { text: text.trim(), visibility },
        }),
      ),
    onSuccess: async () => {
      setText('');
      // an empty note locks its button
      field.current?.focus();
      key.current = newIdempotencyKey();
      showToast({ text: t('note.saved') });
      await Promise.all(
        [notesQuery(booking.id), historyQuery(booking.id)].map(({ queryKey }) =>
          queries.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() && !add.isPending) add.mutate();
  };
  const change = (set: () => void) => {
    set();
    // another text is another note
    if (add.isError) {
      key.current = newIdempotencyKey();
      add.reset();
    }
  };
  return (
    <Section title={t('part.notes')} money={!(notes.data?.data ?? []).some((note) => note.visibility === 'crew')}>
      <ul className={classes['notes']}>
        {(notes.data?.data ?? []).map((note) => (
          <li key={note.id} data-for={note.visibility}>
            <span className={classes['note']}>{note.text}</span>
            <span className={classes['meta']}>
              {t('line.by', {
                when: when(note.createdAt),
                who: note.mate
                  ? t('note.byMate', { name: formatName(note.mate.name ?? '') })
                  : (note.author?.name ?? t('line.system')),
              })}
              {note.visibility === 'crew' ? <span className={classes['state']}>{t('note.forCrew')}</span> : null}
            </span>
          </li>
        ))}
      </ul>
      <form onSubmit={submit} className={classes['write']}>
        <Textarea
          ref={field}
          label={t('note.new')}
          value={text}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          data-note-field
          onChange={(event) => {
            const next = event.currentTarget.value;
            change(() => setText(next));
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
          }}
        />
        <fieldset className={classes['choice']}>
          <legend>{t('note.for')}</legend>
          {(['staff', 'crew'] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="visibility"
                checked={visibility === one}
                onChange={() => change(() => setVisibility(one))}
              />
              {t(`note.${one}`)}
            </label>
          ))}
        </fieldset>
        {add.isError ? <ErrorState led failure={asProblem(add.error)} title={t('note.failed')} /> : null}
        <div>
          <DeskButton submit disabled={text.trim() === ''} busy={add.isPending}>
            {t('note.save')}
          </DeskButton>
        </div>
      </form>
    </Section>
  );
}
