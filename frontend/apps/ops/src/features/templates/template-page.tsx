import { asProblem, type TemplateRecord } from '@portage/api';
import { languages } from '@portage/i18n';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { FailedPage } from '../../shell/failed-page.tsx';
import { LoadingPage } from '../../shell/loading-page.tsx';
import { NotFoundPage } from '../../shell/not-found-page.tsx';
import { Editor } from './editor.tsx';
import { templateQuery, type Which } from './queries.ts';

/** The words of one message in one language. */
function TemplatePage() {
  const { messageType, language: code } = useParams({ from: '/desk/templates/$messageType/$language' });
  const language = languages.find((one) => one === code);
  if (!language) return <NotFoundPage />;
  return <Loaded key={`${messageType}/${language}`} which={{ messageType, language }} />;
}

function Loaded({ which }: { which: Which }) {
  const { t } = useTranslation(['templates', 'shell']);
  const template = useQuery({ ...templateQuery(which), staleTime: 0 });
  // what is typed stays when the server's version is read again
  const [first, setFirst] = useState<TemplateRecord | null>(null);
  if (template.data && !template.isFetching && first === null) setFirst(template.data);
  if (first) return <Editor key={first.version} which={which} saved={first} onSaved={setFirst} />;
  if (template.isError) {
    const problem = asProblem(template.error);
    if (problem.status === 404) return <NotFoundPage />;
    return (
      <FailedPage
        area={t('shell:area.templates')}
        to="/templates"
        failed={t('failed.one')}
        failure={problem}
        onRetry={() => void template.refetch()}
      />
    );
  }
  return <LoadingPage title={t('loading')} />;
}

export const Route = createLazyRoute('/desk/templates/$messageType/$language')({ component: TemplatePage });
