import { api, asProblem, type UnsubscribeOfLink, unwrap } from '@portage/api';
import { keepAnswer } from '@portage/frame/keep-answer';
import { BusyButton, ErrorState, PageHeading } from '@portage/kit';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

import { Help, LinkGone, LinkPage } from './link-page.tsx';
import classes from './pay.module.css';
import { unsubscribeQuery } from './unsubscribe-query.ts';
import { useTheirLanguage } from './use-their-language.ts';

/** Where somebody stops commercial mail, by the link of such a mail. To open it changes nothing: mail programs open links by themselves. */
export function UnsubscribePage() {
  const { t } = useTranslation('unsubscribe');
  const { token } = useParams({ from: '/site/unsubscribe/$token' });
  const query = useQuery(unsubscribeQuery(token));
  useTheirLanguage(query.data?.language);
  return (
    <LinkPage query={query} title={t('title')} gone={<LinkGone title={t('gone.title')} lead={t('gone.lead')} />}>
      {(link) => <Choice key={token} token={token} link={link} />}
    </LinkPage>
  );
}

function Choice({ token, link }: { token: string; link: UnsubscribeOfLink }) {
  const { t } = useTranslation('unsubscribe');
  const queries = useQueryClient();
  const { queryKey } = unsubscribeQuery(token);
  const say = useMutation({
    mutationFn: (stop: boolean) =>
      unwrap(api.POST('/unsubscribe/{id}', { params: { path: { id: token } }, body: { stop } })),
    onSuccess: (told) => keepAnswer(queries, { queryKey }, told),
  });
  const heading = useRef<HTMLDivElement | null>(null);
  const was = useRef(link.stopped);
  // whoever pressed hears what became of it
  useEffect(() => {
    if (was.current !== link.stopped) heading.current?.focus();
    was.current = link.stopped;
  }, [link.stopped]);
  const { company, address, stopped } = link;
  return (
    <div className={classes['narrow']}>
      <div ref={heading} tabIndex={-1} data-testid={stopped ? 'stopped' : 'not-stopped'}>
        <PageHeading
          title={stopped ? t('stopped.title') : t('title')}
          lead={stopped ? t('stopped.lead', { company, address }) : t('lead', { company, address })}
        />
      </div>
      {say.isError ? <ErrorState failure={asProblem(say.error)} title={t('refused')} led /> : null}
      <div className={classes['press']}>
        <BusyButton
          size="lg"
          fullWidth
          variant={stopped ? 'default' : 'filled'}
          loading={say.isPending}
          onClick={() => say.mutate(!stopped)}
          data-testid="say"
        >
          {stopped ? t('again') : t('stop')}
        </BusyButton>
        <p className="pg-small pg-muted">{t('needed')}</p>
      </div>
      <Help />
    </div>
  );
}
