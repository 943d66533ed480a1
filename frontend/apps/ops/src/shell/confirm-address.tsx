import { Button } from '@mantine/core';
import { asProblem, toProblem } from '@portage/api';
import { currentLanguage } from '@portage/i18n';
import { BusyButton, Notice, Reason } from '@portage/kit';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

/** Whether the address of the account that is signed in with this browser is confirmed, as this site's own sign-in service knows it now. */
export const confirmedQuery = queryOptions({
  queryKey: ['identity', 'confirmed'],
  queryFn: async ({ signal }): Promise<boolean> => {
    const response = await fetch('/identity/api/session', { credentials: 'same-origin', signal });
    const answer = (await response.json().catch(() => null)) as { emailVerified?: boolean | null } | null;
    if (!response.ok) throw toProblem(response, answer);
    return answer?.emailVerified !== false;
  },
  meta: { personal: true },
  staleTime: 0,
  retry: false,
});

async function sendAgain(): Promise<void> {
  const response = await fetch('/identity/api/resend-verification', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'Accept-Language': currentLanguage() },
    body: '{}',
  });
  if (!response.ok) throw toProblem(response, await response.json().catch(() => ({})));
}

interface ConfirmAddressProps {
  email: string;
  /** They opened the link, perhaps elsewhere: who they are is looked up once more. */
  onConfirmed: () => void;
  checking: boolean;
  onOther: () => void;
}

/** The first minute of a colleague: an address gives no right before the mailed link has shown whose it is. */
export function ConfirmAddress({ email, onConfirmed, checking, onOther }: ConfirmAddressProps) {
  const { t } = useTranslation('shell');
  const again = useMutation({ mutationFn: sendAgain });
  return (
    <Notice
      tone="info"
      action={
        <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
          <BusyButton loading={checking} onClick={onConfirmed}>
            {t('confirm.done')}
          </BusyButton>
          <BusyButton variant="default" loading={again.isPending} onClick={() => again.mutate()}>
            {t('confirm.again')}
          </BusyButton>
          <Button variant="default" onClick={onOther}>
            {t('gate.other')}
          </Button>
        </div>
      }
    >
      <p>{t('confirm.help', { email })}</p>
      <div role="status">{again.isSuccess ? t('confirm.sent', { email }) : null}</div>
      {again.isError ? (
        <p role="alert">
          <Reason failure={asProblem(again.error)} />
        </p>
      ) : null}
    </Notice>
  );
}
