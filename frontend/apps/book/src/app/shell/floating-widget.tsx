import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { changeLanguage, htmlLang, type Language, useLanguage } from '@portage/i18n';
import { ChoiceMenu } from '@portage/kit';
import { IconMoon, IconSun, IconUser, IconWorld } from '@tabler/icons-react';
import { Link, useLocation, useMatch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

import { signIn, useSession } from '../auth/session.ts';
import { inProgress } from '../draft/draft.ts';
import { useDraft } from '../draft/draft-store.ts';
import { loadNewVersion } from '../new-version.ts';
import classes from './floating-widget.module.css';

// the specification's order
const menuOrder: Language[] = ['zh', 'fr', 'en'];

function choose(language: Language): void {
  // its texts may be files of a version that is gone
  void changeLanguage(language).then(() => loadNewVersion(location.pathname + location.search));
  // a `lang` parameter would win again on reload, over the choice just made
  const url = new URL(location.href);
  if (url.searchParams.has('lang')) {
    url.searchParams.delete('lang');
    history.replaceState(history.state, '', url);
  }
}

/** Bottom left: language, colours, and the way to one's profile or to signing in, which leads back to a booking in the making. */
export function FloatingWidget() {
  const { t } = useTranslation();
  const language = useLanguage();
  const session = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const draft = useDraft();
  const here = useLocation({ select: (location) => location.href });
  const inWizard = useMatch({ from: '/wizard', shouldThrow: false }) !== undefined;
  const dark = useComputedColorScheme('light') === 'dark';
  return (
    <div className={classes['root']} role="region" aria-label={t('widget.label')}>
      <ChoiceMenu
        label={`${t('widget.language')}: ${t(`lang.${language}`)}`}
        icon={<IconWorld size={18} stroke={1.75} aria-hidden />}
        shown={language.toUpperCase()}
        value={language}
        onChoose={choose}
        className={classes['button'] ?? ''}
        choices={menuOrder.map((code) => ({
          value: code,
          lang: htmlLang[code],
          label: (
            <>
              <strong>{code.toUpperCase()}</strong> {t(`lang.${code}`)}
            </>
          ),
        }))}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        className={classes['button'] ?? ''}
        aria-label={dark ? t('widget.schemeLight') : t('widget.scheme')}
        onClick={() => setColorScheme(dark ? 'light' : 'dark')}
      >
        {dark ? <IconSun size={18} stroke={1.75} aria-hidden /> : <IconMoon size={18} stroke={1.75} aria-hidden />}
      </ActionIcon>
      {session.status === 'signedIn' ? (
        <Button
          component={Link}
          to="/profile"
          variant="subtle"
          color="gray"
          className={classes['button'] ?? ''}
          leftSection={<IconUser size={18} stroke={1.75} aria-hidden />}
        >
          {t('action.profile')}
        </Button>
      ) : (
        <Button
          variant="subtle"
          color="gray"
          className={classes['button'] ?? ''}
          loading={session.status === 'restoring'}
          leftSection={<IconUser size={18} stroke={1.75} aria-hidden />}
          onClick={() => void signIn(inWizard && inProgress(draft) ? here : '/profile')}
        >
          {t('action.signIn')}
        </Button>
      )}
    </div>
  );
}
