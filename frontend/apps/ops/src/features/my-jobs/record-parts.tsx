import { Button, Textarea } from '@mantine/core';
import { formatName, formatNumber, useLanguage } from '@portage/i18n';
import { announce, Notice } from '@portage/kit';
import { QueryState } from '@portage/frame';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CrewPhotos, type JobPhoto } from '../../shell/crew-job/photos.tsx';
import {
  keepSeenNotes,
  keepSeenPhotos,
  keepSeenPicture,
  readSeenRecord,
  type SeenRecord,
} from '../../shell/seen-record.ts';
import { useSession } from '../../shell/session.ts';
import classes from './my-jobs.module.css';
import { press, usePressed } from './outbox.ts';
import { useActTime, useMe } from './parts.tsx';
import { type Stage, stages } from './pressed.ts';
import { type JobNote, jobNotesQuery, jobPhotosQuery, type MateJob } from './queries.ts';

/** The server's own limits. */
const longestNote = 2000;
const largestPhoto = 12 * 1024 * 1024;
const mostPhotos = 40;
const kinds = ['image/jpeg', 'image/png', 'image/webp'];

/** What was seen last of a job's record; null where that is nothing. */
function useKept(job: string): SeenRecord | null {
  const me = useMe();
  // what is read meanwhile is kept for the next time
  return useMemo(() => readSeenRecord(job, me), [job, me]);
}

/** The server does not answer, and has not answered before. */
const isUnanswered = ({
  data,
  isError,
  failureCount,
}: Pick<UseQueryResult<unknown>, 'data' | 'isError' | 'failureCount'>) =>
  data === undefined && (isError || failureCount > 0 || !navigator.onLine);

/** Says that something is as it was seen last, and when that was. */
function AsSeen({ seen, zone }: { seen: SeenRecord; zone: string }) {
  const { t } = useTranslation('myJobs');
  const actTime = useActTime();
  return <p className={classes['by']}>{t('seen.record', { at: actTime(new Date(seen.at).toISOString(), zone) })}</p>;
}

/** Whose queue of unsent acts it is: the id of the person who is signed in, or null. */
function useReader(): string | null {
  const state = useSession();
  return state.status === 'signedIn' ? state.user.sub : null;
}

/** Notes of the crew: those the server knows, and those that wait for signal. */
export function JobNotes({ job }: { job: MateJob }) {
  const { t } = useTranslation('myJobs');
  const me = useMe();
  const actTime = useActTime();
  const notes = useQuery(jobNotesQuery(job.id));
  const kept = useKept(job.id);
  const seen = isUnanswered(notes) ? kept : null;
  const reader = useReader();
  useEffect(() => {
    if (reader !== null && notes.data) keepSeenNotes(job.id, reader, notes.data);
  }, [job.id, reader, notes.data]);
  const waiting = usePressed(me).waiting.flatMap((one) => (one.kind === 'note' && one.job === job.id ? [one] : []));
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const said = text.trim();
    field.current?.focus();
    if (!said) return;
    void press(job, { kind: 'note', text: said }, me);
    setText('');
    announce(t('note.taken'));
  };
  return (
    <>
      {seen?.notes ? (
        <>
          <AsSeen seen={seen} zone={job.zone} />
          <NoteList notes={seen.notes} zone={job.zone} />
        </>
      ) : (
        <QueryState query={notes} rows={1}>
          {(list) => <NoteList notes={list} zone={job.zone} />}
        </QueryState>
      )}
      {waiting.length > 0 ? (
        <ul className={classes['notes']}>
          {waiting.map((one) => (
            <li key={one.key}>
              <span className={classes['typed']}>{one.text}</span>
              <span className={classes['by']}>{t('waits', { at: actTime(one.at, job.zone) })}</span>
            </li>
          ))}
        </ul>
      ) : null}
      <form onSubmit={save} className={classes['write']}>
        <Textarea
          ref={field}
          label={t('note.new')}
          description={t('note.help')}
          value={text}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={longestNote}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="default" size="md">
            {t('note.save')}
          </Button>
        </div>
      </form>
    </>
  );
}

function NoteList({ notes, zone }: { notes: readonly JobNote[]; zone: string }) {
  const { t } = useTranslation('myJobs');
  const actTime = useActTime();
  if (notes.length === 0) return null;
  return (
    <ul className={classes['notes']}>
      {notes.map((note) => (
        <li key={note.id}>
          <span className={classes['typed']}>{note.text}</span>
          <span className={classes['by']}>
            {t('note.by', { at: actTime(note.at, zone), name: formatName(note.name) })}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Photos of before and after the work: those the server knows, and those that wait for signal. */
export function JobPhotos({ job }: { job: MateJob }) {
  const { t } = useTranslation('myJobs');
  const language = useLanguage();
  const me = useMe();
  const actTime = useActTime();
  const photos = useQuery(jobPhotosQuery(job.id));
  const kept = useKept(job.id);
  const seen = isUnanswered(photos) ? kept : null;
  const reader = useReader();
  useEffect(() => {
    if (reader !== null && photos.data) keepSeenPhotos(job.id, reader, photos.data);
  }, [job.id, reader, photos.data]);
  const waiting = usePressed(me).waiting.flatMap((one) => (one.kind === 'photo' && one.job === job.id ? [one] : []));
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const room = mostPhotos - ((photos.data ?? seen?.photos)?.length ?? 0) - waiting.length;
  const megabytes = formatNumber(largestPhoto / 1024 / 1024, language);
  const caption = ({ at, name }: JobPhoto) => t('note.by', { at: actTime(at, job.zone), name: formatName(name) });
  const add = (stage: Stage, files: readonly File[]) => {
    const refusal = (file: File) => {
      if (file.size === 0) return t('photo.empty', { name: file.name });
      if (file.size > largestPhoto) return t('photo.tooLarge', { name: file.name, megabytes });
      // a telephone that does not say what a file is leaves it to the server
      if (file.type !== '' && !kinds.includes(file.type)) return t('photo.kind', { name: file.name });
      return null;
    };
    const good = files.filter((file) => refusal(file) === null);
    const told = files.flatMap((file) => refusal(file) ?? []);
    setWrong(good.length > room ? [...told, t('photo.most', { count: mostPhotos })] : told);
    for (const file of good.slice(0, Math.max(0, room))) void press(job, { kind: 'photo', stage, file }, me);
    if (good.length > 0) announce(t('photo.taken', { count: Math.min(good.length, Math.max(0, room)) }));
  };
  return (
    <>
      <p className={classes['by']}>{t('photo.help', { megabytes, count: mostPhotos })}</p>
      {seen?.photos ? (
        <>
          <AsSeen seen={seen} zone={job.zone} />
          <CrewPhotos photos={seen.photos} caption={caption} small={({ id }) => seen.small[id]} />
        </>
      ) : (
        <QueryState query={photos} rows={1}>
          {(list) => (
            <CrewPhotos
              photos={list}
              caption={caption}
              small={({ id }) => kept?.small[id]}
              onRead={({ id }, file) => {
                if (reader !== null) void keepSeenPicture(job.id, reader, id, file);
              }}
            />
          )}
        </QueryState>
      )}
      {waiting.length > 0 ? (
        <ul className={classes['waitingPhotos']}>
          {waiting.map((one) => (
            <li key={one.key}>
              {one.file ? <Kept file={one.file} name={t(`photo.waits.${one.stage}`)} /> : null}
              <span className={classes['by']}>{t('waits', { at: actTime(one.at, job.zone) })}</span>
            </li>
          ))}
        </ul>
      ) : null}
      {wrong.length > 0 ? (
        <Notice tone="error" live>
          {wrong.map((words) => (
            <p key={words}>{words}</p>
          ))}
        </Notice>
      ) : null}
      <div className={classes['acts']}>
        {stages.map((stage) => (
          <Choose
            key={stage}
            label={t(`photo.add.${stage}`)}
            id={`photo-${stage}`}
            onChosen={(files) => add(stage, files)}
          />
        ))}
      </div>
    </>
  );
}

/** A press that lets one take or choose photos. */
function Choose({ label, id, onChosen }: { label: string; id: string; onChosen: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="default" size="md" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={kinds.join(',')}
        data-testid={id}
        onChange={(event) => {
          onChosen([...(event.currentTarget.files ?? [])]);
          // the same photo chosen again is a change again
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** A photo that is on this telephone only. */
function Kept({ file, name }: { file: Blob; name: string }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!image.current) return undefined;
    const made = URL.createObjectURL(file);
    image.current.src = made;
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return <img ref={image} alt={name} />;
}
