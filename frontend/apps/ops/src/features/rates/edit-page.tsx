import { asProblem, type RateCard } from '@portage/api';
import { PageHeading } from '@portage/kit';
import { Failed } from '@portage/kit/desk/states';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { LoadingPage } from '../../shell/loading-page.tsx';
import { useSession } from '../../shell/session.ts';
import { Editor } from './editor/editor.tsx';
import { rateQuery } from './queries.ts';

/** The figures of a version, to be changed or used again. */
function EditPage() {
  const { t } = useTranslation('rates');
  const { id } = useParams({ from: '/desk/rates/$id/edit' });
  const rate = useQuery({ ...rateQuery(id), staleTime: 0 });
  const session = useSession();
  // the form stays on screen when a session ends; whoever began it is known from then
  const now = session.status === 'signedIn' ? session.user.sub : null;
  const [owner, setOwner] = useState(now);
  if (owner === null && now !== null) setOwner(now);
  const [first, setFirst] = useState<RateCard | null>(null);
  if (rate.data && !rate.isFetching && first?.id !== id) setFirst(rate.data);
  if (first?.id === id && owner !== null) return <Editor key={id} first={first} owner={owner} />;
  if (rate.isError) {
    const problem = asProblem(rate.error);
    const back = <Link to="/rates">{t('back')}</Link>;
    // no second try finds what is not there
    if (problem.status === 404)
      return (
        <>
          <PageHeading title={t('gone.title')} lead={t('gone.text')} />
          {back}
        </>
      );
    return (
      <>
        <PageHeading title={t('failed.one')} />
        {back}
        <Failed failure={problem} onRetry={() => void rate.refetch()} />
      </>
    );
  }
  return <LoadingPage title={t('loading')} />;
}

export const Route = createLazyRoute('/desk/rates/$id/edit')({ component: EditPage });
