import { asProblem, type QuoteRequestRecord, type QuoteRequestState } from '@portage/api';
import { montrealZone } from '@portage/domain';
import { QueryState } from '@portage/frame';
import { keepAnswer } from '@portage/frame/keep-answer';
import { formatDateTime, useLanguage } from '@portage/i18n';
import { Notice, PageHeading, Reason } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { FailedPage } from '../../shell/failed-page.tsx';
import { LoadingPage } from '../../shell/loading-page.tsx';
import { requestKey, requestQuery } from '../../shell/request-query.ts';
import { DraftPart } from './draft-part.tsx';
import { setState } from './queries.ts';
import classes from './requests.module.css';

/** One request: who asks, why it could not be booked online, the move as they left it, and what is done about it. */
function RequestPage() {
  const { id } = useParams({ from: '/desk/quote-requests/$id' });
  const { t } = useTranslation(['requests', 'shell']);
  const request = useQuery(requestQuery(id));
  if (request.isPending) return <LoadingPage title={t('requests:loading')} />;
  return (
    <QueryState
      query={request}
      renderFailed={(_, error) => (
        <FailedPage
          area={t('shell:area.requests')}
          to="/quote-requests"
          failed={t('requests:failed.one')}
          failure={asProblem(error)}
          onRetry={() => void request.refetch()}
        />
      )}
    >
      {(found) => <Request key={found.id} request={found} />}
    </QueryState>
  );
}

function Request({ request }: { request: QuoteRequestRecord }) {
  const { t } = useTranslation(['requests', 'person', 'common', 'shell']);
  const language = useLanguage();
  const { email, phone, takenBy } = request;
  return (
    <>
      <PageHeading
        title={t('requests:title', { name: request.name })}
        lead={t('requests:since', {
          state: t(`requests:state.${request.state}`),
          when: formatDateTime(request.madeAt, montrealZone, language),
        })}
      />
      <Acts request={request} />
      <section className={classes['part']} aria-labelledby="reach">
        <h2 id="reach">{t('requests:reach')}</h2>
        <dl className={classes['facts']}>
          {email ? (
            <div>
              <dt>{t('person:email')}</dt>
              <dd>
                <a href={`mailto:${email}`}>{email}</a>
              </dd>
            </div>
          ) : null}
          {phone ? (
            <>
              <div>
                <dt>{t('person:phone')}</dt>
                <dd>
                  <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
                </dd>
              </div>
              <div>
                <dt>{t('requests:col.callAt')}</dt>
                <dd>{t(`requests:callAt.${request.callAt}`)}</dd>
              </div>
            </>
          ) : null}
          <div>
            <dt>{t('person:language')}</dt>
            <dd>{t(`common:lang.${request.language}`)}</dd>
          </div>
          <div>
            <dt>{t('requests:col.takenBy')}</dt>
            <dd>{takenBy ?? t('requests:nobody')}</dd>
          </div>
        </dl>
      </section>
      <section className={classes['part']} aria-labelledby="why">
        <h2 id="why">{t('requests:col.why')}</h2>
        {request.obstacles.length === 0 ? (
          <p>{t('requests:why.other')}</p>
        ) : (
          <ul className={classes['list']}>
            {request.obstacles.map((why) => (
              <li key={why}>{t(`requests:why.${why}`)}</li>
            ))}
          </ul>
        )}
      </section>
      <DraftPart draft={request.bookingRequest} />
      <p>
        <Link to="/quote-requests">{t('shell:area.requests')}</Link>
      </p>
    </>
  );
}

/** What may be done next; the first is what usually follows. */
function Acts({ request }: { request: QuoteRequestRecord }) {
  const { t } = useTranslation('requests');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id, state } = request;
  const put = useMutation({
    mutationFn: (to: QuoteRequestState) => setState(request, to),
    onSuccess: (now) => keepAnswer(queries, requestQuery(id), now),
    // somebody else was first: what is true now is shown beside the reason
    onSettled: () => queries.invalidateQueries({ queryKey: requestKey }),
  });
  const toForm = () => void navigate({ to: '/bookings/new', search: { request: id } as never });
  // whoever books it answers it: nobody else begins meanwhile
  const book = () => (state === 'answering' ? toForm() : put.mutate('answering', { onSuccess: toForm }));
  const button = (to: QuoteRequestState, words: string, primary = false) => (
    <DeskButton variant={primary ? 'primary' : 'quiet'} busy={put.isPending} onClick={() => put.mutate(to)}>
      {words}
    </DeskButton>
  );
  if (state === 'booked')
    return (
      <p className={classes['acts']}>
        {request.bookingId ? (
          <Link to="/bookings/$id" params={{ id: request.bookingId }}>
            {t('booked', { code: request.booking ?? '' })}
          </Link>
        ) : null}
      </p>
    );
  return (
    <>
      <div className={classes['acts']}>
        {state === 'new' ? button('answering', t('act.take'), true) : null}
        {state === 'closed' ? (
          button('answering', t('act.reopen'), true)
        ) : (
          <DeskButton variant={state === 'answering' ? 'primary' : 'default'} busy={put.isPending} onClick={book}>
            {t('act.book')}
          </DeskButton>
        )}
        {state === 'answering' ? button('new', t('act.giveBack')) : null}
        {state === 'closed' ? null : button('closed', t('act.close'))}
      </div>
      {put.isError ? (
        <Notice tone="error" live led title={t('refused')} onDismiss={put.reset}>
          <Reason failure={asProblem(put.error)} />
        </Notice>
      ) : null}
    </>
  );
}

export const Route = createLazyRoute('/desk/quote-requests/$id')({ component: RequestPage });
