import { Button } from '@mantine/core';
import { useConfig } from '@portage/frame';
import { ConfirmDialog } from '@portage/frame';
import { IconMail, IconMessageCircle, IconPhone } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { openChat } from './chat-session.ts';
import { chatConsent } from './chat.ts';

/**
 * Ways to reach support: the chat, when one is configured and agreed to, and always e-mail and telephone. Without `chat`
 * on pages whose address is a secret: the chat's company is told the address it is opened on.
 */
export function SupportLinks({ chat = true }: { chat?: boolean }) {
  const { t } = useTranslation('shell');
  const config = useConfig();
  const [asking, setAsking] = useState(false);
  const [blocked, setBlocked] = useState(false);
  if (!config) return null;
  const open = () => {
    void openChat().then((opened) => setBlocked(!opened));
  };
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
      {chat && config.chat.provider !== 'none' && !blocked ? (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconMessageCircle size={18} stroke={1.75} aria-hidden />}
          onClick={() => (chatConsent() ? open() : setAsking(true))}
        >
          {t('support.chat')}
        </Button>
      ) : null}
      <Button
        size="sm"
        variant="default"
        component="a"
        href={`mailto:${config.supportEmail}`}
        leftSection={<IconMail size={18} stroke={1.75} aria-hidden />}
      >
        {t('support.email', { email: config.supportEmail })}
      </Button>
      {config.supportPhone ? (
        <Button
          size="sm"
          variant="default"
          component="a"
          href={`tel:${config.supportPhone.replaceAll(/[^\d+]/g, '')}`}
          leftSection={<IconPhone size={18} stroke={1.75} aria-hidden />}
        >
          {t('support.phone', { phone: config.supportPhone })}
        </Button>
      ) : null}
      <ConfirmDialog
        opened={asking}
        title={t('chat.consentTitle')}
        confirmLabel={t('chat.agree')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          open();
        }}
      >
        {t('chat.consent')}
      </ConfirmDialog>
    </div>
  );
}
