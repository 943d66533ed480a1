import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Button that switches between light and dark colours; the choice is kept on this device. */
export function SchemeButton({ className = '' }: { className?: string }) {
  const { t } = useTranslation('frame');
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      className={className}
      aria-label={dark ? t('colours.light') : t('colours.dark')}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <IconSun size={18} stroke={1.75} aria-hidden /> : <IconMoon size={18} stroke={1.75} aria-hidden />}
    </ActionIcon>
  );
}
