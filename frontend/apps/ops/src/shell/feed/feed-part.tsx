import { TextInput } from '@mantine/core';
import { asProblem } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { ConfirmDialog, QueryState } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { formatDateTime, formatName, useLanguage } from '@portage/i18n';
import { BusyButton, ErrorState, Notice } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { FeedCalls, FeedLink, FeedState } from './calls.ts';
import classes from './feed.module.css';

const feedQuery = ({ key, read }: FeedCalls) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => read(signal), meta: { personal: true } });

/** The secret link to a calendar: whether one works, made anew, ended. Give it a `key` for each calendar. */
export function FeedPart({ calls }: { calls: FeedCalls }) {
  const { t } = useTranslation('feed');
  const queries = useQueryClient();
  const state = useQuery(feedQuery(calls));
  const [made, setMade] = useState<FeedLink | null>(null);
  const [asking, setAsking] = useState<'make' | 'end' | null>(null);
  const readAgain = () => queries.invalidateQueries({ queryKey: calls.key });
  const make = useMutation({
    mutationFn: calls.make,
    onSuccess: async (link) => {
      setMade(link);
      setAsking(null);
      // until it is read again, so that the link is not taken for one that has ended
      const feed = { id: link.id, madeAt: link.madeAt, madeBy: null };
      await keepAnswer<FeedState>(queries, { queryKey: calls.key }, { feed });
      await readAgain();
    },
    onError: () => setAsking(null),
  });
  const end = useMutation({
    mutationFn: calls.end,
    onSuccess: async () => {
      setMade(null);
      await keepAnswer<FeedState>(queries, { queryKey: calls.key }, { feed: null });
    },
    // somebody else was faster: what there is now is read again
    onError: readAgain,
    onSettled: () => setAsking(null),
  });
  const failed = make.error ?? end.error;
  return (
    <div className={classes['part']}>
      <p>{t(`lead.${calls.of}`)}</p>
      <QueryState query={state} rows={2}>
        {({ feed }) => (
          <>
            {feed ? (
              <Works feed={feed} />
            ) : end.isSuccess ? (
              // what was pressed is gone: the focus goes to what is there now
              <Notice tone="success" live led>
                {t('ended')}
              </Notice>
            ) : (
              <p>{t('none')}</p>
            )}
            {made && made.id === feed?.id ? <Made link={made} of={calls.of} /> : null}
            {failed ? (
              <ErrorState failure={asProblem(failed)} title={t(make.error ? 'failed.make' : 'failed.end')} />
            ) : null}
            <div className={classes['acts']}>
              <Press
                of={calls.of}
                primary={!feed}
                busy={make.isPending}
                onClick={() => {
                  end.reset();
                  if (feed) setAsking('make');
                  else make.mutate();
                }}
              >
                {feed ? t('makeNew') : t('make')}
              </Press>
              {feed ? (
                <Press
                  of={calls.of}
                  onClick={() => {
                    make.reset();
                    end.reset();
                    setAsking('end');
                  }}
                >
                  {t('end')}
                </Press>
              ) : null}
            </div>
            <ConfirmDialog
              opened={asking === 'make'}
              title={t('askNew')}
              confirmLabel={t('makeNew')}
              loading={make.isPending}
              onConfirm={() => make.mutate()}
              onCancel={() => setAsking(null)}
            >
              {t('askNew.text')}
            </ConfirmDialog>
            <ConfirmDialog
              opened={asking === 'end'}
              title={t('askEnd')}
              confirmLabel={t('end')}
              danger
              loading={end.isPending}
              onConfirm={() => {
                if (feed) end.mutate(feed.id);
              }}
              onCancel={() => setAsking(null)}
            >
              {t('askEnd.text')}
            </ConfirmDialog>
          </>
        )}
      </QueryState>
    </div>
  );
}

interface PressProps {
  of: FeedCalls['of'];
  primary?: boolean;
  busy?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** A button as its page has them: made for a thumb on a mate's telephone, as high as a row at the desk. */
function Press({ of, primary = false, busy = false, onClick, children }: PressProps) {
  if (of === 'own')
    return (
      <BusyButton variant={primary ? 'filled' : 'default'} loading={busy} onClick={onClick}>
        {children}
      </BusyButton>
    );
  return (
    <DeskButton variant={primary ? 'primary' : 'default'} busy={busy} onClick={onClick}>
      {children}
    </DeskButton>
  );
}

function Works({ feed }: { feed: NonNullable<FeedState['feed']> }) {
  const { t } = useTranslation('feed');
  const language = useLanguage();
  const when = formatDateTime(feed.madeAt, montrealZone, language);
  return <p>{feed.madeBy ? t('works.by', { when, name: formatName(feed.madeBy) }) : t('works', { when })}</p>;
}

/** The link itself, this once. */
function Made({ link, of }: { link: FeedLink; of: FeedCalls['of'] }) {
  const { t } = useTranslation('feed');
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link.url);
      setSaid(t('copied'));
    } catch {
      // without a right to the clipboard, or without one at all
      field.current?.focus();
      setSaid(t('notCopied'));
    }
  };
  return (
    <Notice tone="success" live led title={t('made')}>
      <p>{t('made.help')}</p>
      <TextInput
        ref={field}
        label={t('made.label')}
        value={link.url}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes['acts']}>
        <Press of={of} primary onClick={() => void copy()}>
          {t('copy')}
        </Press>
        <a className={classes['open']} href={link.url.replace(/^https?:/, 'webcal:')}>
          {t('open')}
        </a>
      </div>
      <p role="status">{said}</p>
    </Notice>
  );
}
