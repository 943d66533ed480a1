import { PageHeading } from '@portage/kit';
import { Skeleton } from '@portage/kit/desk/states';

/** In the place of a page whose record is on its way: a heading that says so, and grey shapes. What comes has its own. */
export function LoadingPage({ title }: { title: string }) {
  return (
    <>
      <PageHeading key="loading" title={title} />
      <Skeleton label={title} kind="record" />
    </>
  );
}
