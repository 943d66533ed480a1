import { api, asProblem, ifMatch, type OpsMember, unwrap } from '@portage/api';
import { ConfirmDialog, profileQuery } from '@portage/frame';
import { formatName } from '@portage/i18n';
import { ErrorState, PageHeading } from '@portage/kit';
import { DeskButton } from '@portage/kit/desk/button';
import { NothingYet } from '@portage/kit/desk/states';
import { type Column, DataTable, tableCodec } from '@portage/kit/desk/table';
import { showToast } from '@portage/kit/desk/toasts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { leftOutOf } from '../../shell/left-out.ts';
import { LeftOutNotice } from '../../shell/left-out-notice.tsx';
import { Invite } from './invite.tsx';

const codec = tableCodec({
  columns: [{ key: 'name', main: true }, { key: 'email' }, { key: 'role' }, { key: 'state' }, { key: 'do' }],
  perPage: [10, 25, 50],
});

/** Who works at the desk; administrators invite, change rights and remove. */
function MembersPage() {
  const { t } = useTranslation(['members', 'shell', 'person']);
  const search = useSearch({ from: '/desk/members' });
  const navigate = useNavigate({ from: '/members' });
  const queries = useQueryClient();
  const state = codec.read(search);
  const own = useQuery(profileQuery);
  const admin = own.data?.role === 'admin';
  const [leavingId, setLeaving] = useState<string | null>(null);
  const members = useQuery({
    queryKey: ['desk', 'members', state.page, state.perPage],
    queryFn: () => unwrap(api.GET('/ops', { params: { query: { page: state.page, per_page: state.perPage } } })),
    placeholderData: keepPreviousData,
    meta: { personal: true },
  });
  // as the list has them now: after a refusal it is read again
  const leaving = members.data?.data.find((member) => member.id === leavingId) ?? null;
  const readAgain = () => queries.invalidateQueries({ queryKey: ['desk', 'members'] });
  const setRole = useMutation({
    mutationFn: (member: OpsMember) =>
      unwrap(
        api.PUT('/ops/{id}', {
          params: { path: { id: member.id }, header: ifMatch(member.version) },
          body: { firstName: member.firstName, lastName: member.lastName, admin: !member.admin },
        }),
      ),
    onSettled: readAgain,
  });
  const remove = useMutation({
    mutationFn: (member: OpsMember) =>
      unwrap(api.DELETE('/ops/{id}', { params: { path: { id: member.id }, header: ifMatch(member.version) } })),
    onSuccess: (_, member) => {
      setLeaving(null);
      showToast({ text: t('remove.done', { name: nameOf(member) }) });
    },
    onSettled: readAgain,
  });
  const doing = (member: OpsMember) => (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: 8 }}>
      <DeskButton variant="quiet" busy={setRole.isPending} onClick={() => setRole.mutate(member)}>
        {member.admin ? t('role.take') : t('role.make')}
      </DeskButton>
      <DeskButton
        variant="quiet"
        aria-label={t('remove.name', { name: nameOf(member) })}
        onClick={() => {
          remove.reset();
          setLeaving(member.id);
        }}
      >
        {t('remove.open')}
      </DeskButton>
    </span>
  );
  const columns: Column<OpsMember>[] = [
    { key: 'name', title: t('col.name'), main: true, cell: nameOf },
    { key: 'email', title: t('person:email'), cell: (member) => member.email },
    { key: 'role', title: t('col.role'), cell: (member) => (member.admin ? t('role.admin') : t('role.ops')) },
    {
      key: 'state',
      title: t('col.state'),
      cell: (member) => t(member.state === 'invited' ? 'state.invited' : 'state.active'),
    },
    ...(admin
      ? [
          {
            key: 'do',
            title: t('shell:col.do'),
            cell: doing,
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHeading title={t('shell:area.members')} lead={t('lead')} />
      <LeftOutNotice of={leftOutOf(search)} />
      {admin ? <Invite onDone={readAgain} /> : <p className="pg-muted">{t('onlyAdmins')}</p>}
      {setRole.isError ? <ErrorState led failure={asProblem(setRole.error)} title={t('role.failed')} /> : null}
      <DataTable
        label={t('shell:area.members')}
        columns={columns}
        rows={members.data?.data ?? []}
        rowKey={(member) => member.id}
        rowName={nameOf}
        state={state}
        onState={(next) => void navigate({ search: (before) => ({ ...before, ...codec.write(next) }) })}
        total={members.data?.total ?? 0}
        pageSizes={[10, 25, 50]}
        status={members.isPending ? 'loading' : members.isPlaceholderData ? 'refreshing' : 'ready'}
        failure={
          members.isError
            ? { title: t('failed'), failure: asProblem(members.error), onRetry: () => void members.refetch() }
            : null
        }
        empty={<NothingYet title={t('empty')} />}
      />
      <ConfirmDialog
        opened={leaving !== null}
        title={t('remove.question', { name: leaving ? nameOf(leaving) : '' })}
        confirmLabel={t('remove.open')}
        danger
        loading={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
        onCancel={() => setLeaving(null)}
      >
        {remove.isError ? (
          <ErrorState led failure={asProblem(remove.error)} title={t('remove.failed')} />
        ) : (
          t('remove.help')
        )}
      </ConfirmDialog>
    </>
  );
}

function nameOf({ firstName, lastName }: OpsMember): string {
  return formatName(`${firstName} ${lastName}`);
}

export const Route = createLazyRoute('/desk/members')({ component: MembersPage });
