import { TextInput } from '@mantine/core';
import { asProblem, type OutboxMessage } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { formatDateTime, formatNumber, useLanguage } from '@portage/i18n';
import { ErrorState, LoadingState } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { Drawer } from '@portage/kit/desk/drawer';
import { showToast } from '@portage/kit/desk/toasts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { framed } from '../../shell/messages/framed.ts';
import { useTrouble, useTypeName } from '../../shell/messages/type-name.ts';
import classes from './outbox.module.css';
import { messageQuery, outboxKey, repeatMessage, retryMessage } from './queries.ts';

interface MessageDrawerProps {
  /** None: closed. */
  id: string | null;
  onClose: () => void;
}

/** A message as it was sent, and what can be done with it. */
export function MessageDrawer({ id, onClose }: MessageDrawerProps) {
  const { t } = useTranslation(['outbox', 'shell']);
  const message = useQuery({ ...messageQuery(id ?? ''), enabled: id !== null });
  const failure = message.isError ? asProblem(message.error) : null;
  const isGone = failure?.status === 404;
  const title = isGone ? t('shell:gone.title') : failure && !message.data ? t('failed.one') : t('one');
  return (
    <Drawer opened={id !== null} onClose={onClose} title={title}>
      {isGone ? (
        <p>{t('shell:gone.text')}</p>
      ) : (
        <>
          {failure ? <ErrorState failure={failure} onRetry={() => void message.refetch()} /> : null}
          {message.data ? <Shown key={id} message={message.data} /> : failure ? null : <LoadingState rows={4} />}
        </>
      )}
    </Drawer>
  );
}

function Shown({ message }: { message: OutboxMessage }) {
  const { t } = useTranslation('outbox');
  const language = useLanguage();
  const nameOf = useTypeName();
  const troubleOf = useTrouble();
  const when = (instant: string) => formatDateTime(instant, montrealZone, language);
  const facts: [string, string | null | undefined][] = [
    [t('col.type'), message.isTrial ? t('trial') : nameOf(message.messageType)],
    [t('col.channel'), t(`channel.${message.channel}`)],
    [t('col.recipient'), message.recipient],
    [t('col.booking'), message.booking],
    [t('col.standing'), t(`standing.${message.standing}`)],
    [t('trouble'), troubleOf(message.trouble)],
    [t('made'), when(message.createdAt)],
    [t('sent'), message.sentAt ? when(message.sentAt) : null],
    [t('col.tries'), formatNumber(message.attempts, language)],
    [t('col.error'), message.lastError],
    // a text that was refused is billed by nobody
    [t('segments'), message.segments && message.sentAt ? formatNumber(message.segments, language) : null],
    [t('provider'), message.providerId],
  ];
  return (
    <div className={classes['message']}>
      <dl className={classes['facts']}>
        {facts
          .filter(([, said]) => said)
          .map(([name, said]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{said}</dd>
            </div>
          ))}
      </dl>
      <Acts message={message} />
      {typeof message.text !== 'string' || !message.sentAt ? (
        <p className="pg-muted">{t('notSent')}</p>
      ) : (
        <section aria-label={t('text')} lang={message.language} className={classes['message']}>
          {message.subject ? <h3>{message.subject}</h3> : null}
          {typeof message.html !== 'string' ? (
            <pre className={classes['text']}>{message.text}</pre>
          ) : (
            <>
              {/* no scripts, no forms, no way out */}
              <iframe className={classes['frame']} title={t('text')} sandbox="" srcDoc={framed(message.html, false)} />
              <details>
                {/* said to be reached by Tab: the drawer keeps the focus by what it knows to be, and knows no frames */}
                <summary tabIndex={0}>{t('plain')}</summary>
                <pre className={classes['text']}>{message.text}</pre>
              </details>
            </>
          )}
        </section>
      )}
    </div>
  );
}

function Acts({ message }: { message: OutboxMessage }) {
  const { t } = useTranslation('outbox');
  const queries = useQueryClient();
  const [to, setTo] = useState('');
  const settled = { onSettled: () => queries.invalidateQueries({ queryKey: outboxKey }) };
  const retry = useMutation({
    mutationFn: () => retryMessage(message.id),
    onSuccess: () => showToast({ text: t('done.retry') }),
    ...settled,
  });
  const again = useMutation({
    mutationFn: () => repeatMessage(message.id, to.trim() || null),
    onSuccess: ({ recipient }) => showToast({ text: t('done.again', { recipient }) }),
    ...settled,
  });
  const failure = retry.error ?? again.error;
  return (
    <>
      {failure ? <ErrorState failure={asProblem(failure)} title={t('refused')} /> : null}
      {message.standing === 'given_up' ? (
        <div>
          <DeskButton variant="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
            {t('retry')}
          </DeskButton>
        </div>
      ) : null}
      {message.canRepeat ? (
        <form
          className={classes['again']}
          onSubmit={(event) => {
            event.preventDefault();
            again.mutate();
          }}
        >
          <TextInput
            type="email"
            label={t('to')}
            placeholder={message.recipient}
            value={to}
            autoComplete="off"
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <DeskButton submit busy={again.isPending}>
            {t('again')}
          </DeskButton>
        </form>
      ) : message.channel === 'sms' || typeof message.subject !== 'string' ? null : (
        <p className="pg-help">{t('notAgain')}</p>
      )}
    </>
  );
}
