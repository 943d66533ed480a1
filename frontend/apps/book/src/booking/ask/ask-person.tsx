import { Button } from '@mantine/core';
import type { BookingObstacle } from '@portage/api';
import { loadTexts } from '@portage/frame';
import { IconMessageQuestion } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { SupportLinks } from '../../shell/chat/support-links.tsx';

// most people can book by themselves: the form and its texts come with the first press
const Loaded = lazy(async () => {
  const [module] = await Promise.all([import('./ask-dialog.tsx'), loadTexts('askForm', 'person')()]);
  return { default: module.AskDialog };
});

/** The ways to somebody of the company where a move cannot be booked online: a request with the move in it, or a call. */
export function AskPerson({ why }: { why: BookingObstacle[] }) {
  const { t } = useTranslation('ask');
  const [opened, setOpened] = useState(false);
  // once fetched it stays, so that what was typed is still there
  const [wanted, setWanted] = useState(false);
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
      <Button
        size="sm"
        leftSection={<IconMessageQuestion size={18} stroke={1.75} aria-hidden />}
        onClick={() => {
          setWanted(true);
          setOpened(true);
        }}
      >
        {t('title')}
      </Button>
      <SupportLinks />
      {wanted ? (
        <Suspense fallback={null}>
          <Loaded opened={opened} why={why} onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
