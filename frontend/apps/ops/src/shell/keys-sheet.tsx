import { Dialog } from '@portage/kit';
import { CheckBox } from '@portage/kit/desk/button';
import { paletteKeyName } from '@portage/kit/desk/palette';
import { useTranslation } from 'react-i18next';

import { useSingleKeys } from './keys.ts';
import classes from './keys-sheet.module.css';

/** Every key that does something, and the switch for single letters. */
export function KeysSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['shell', 'desk']);
  const [single, setSingle] = useSingleKeys();
  const groups = [
    {
      title: t('keys.everywhere'),
      keys: [
        { press: [paletteKeyName()], does: t('desk:palette.placeholder') },
        { press: ['?'], does: t('keys.sheet') },
        { press: ['g', 'b'], pair: true, does: t('keys.goBookings') },
        { press: ['n'], does: t('keys.newBooking') },
        { press: ['Esc'], does: t('keys.close') },
        { press: ['F8'], does: t('keys.messages') },
      ],
    },
    {
      title: t('keys.lists'),
      keys: [
        { press: ['/'], does: t('keys.search') },
        { press: ['j', '↓'], does: t('keys.next') },
        { press: ['k', '↑'], does: t('keys.previous') },
        { press: ['↵'], does: t('keys.open') },
        { press: ['x'], does: t('keys.select') },
      ],
    },
    {
      title: t('keys.record'),
      keys: [
        { press: ['o'], does: t('keys.full') },
        { press: ['e'], does: t('keys.edit') },
        { press: ['s'], does: t('keys.status') },
        { press: ['m'], does: t('keys.note') },
      ],
    },
  ];
  return (
    <Dialog opened={opened} title={t('nav.keys')} onClose={onClose}>
      {groups.map(({ title, keys }) => (
        <section key={title} className={classes['group']}>
          <h3 className={classes['title']}>{title}</h3>
          <dl className={classes['list']}>
            {keys.map(({ press, does, ...more }) => (
              <div key={does} className={classes['row']}>
                <dt>{does}</dt>
                <dd>
                  {'pair' in more ? (
                    <kbd>{t('keys.then', { first: press[0] ?? '', second: press[1] ?? '' })}</kbd>
                  ) : (
                    press.map((key) => <kbd key={key}>{key}</kbd>)
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <CheckBox label={t('keys.single')} labelShown checked={single} onChange={setSingle} />
      <p className="pg-help">{t('keys.singleHelp')}</p>
    </Dialog>
  );
}
