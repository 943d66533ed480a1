import { Dialog } from '@portage/kit';
import { CheckBox } from '@portage/kit/desk/button';
import { paletteKeyName } from '@portage/kit/desk/palette';
import { useTranslation } from 'react-i18next';

import { useSingleKeys } from '../keys.ts';
import classes from './keys-sheet.module.css';

/** Every key that does something, and the switch for single letters. */
export function KeysSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['keys', 'desk', 'shell']);
  const [single, setSingle] = useSingleKeys();
  const groups = [
    {
      title: t('everywhere'),
      keys: [
        { press: [paletteKeyName()], does: t('desk:palette.placeholder') },
        { press: ['?'], does: t('sheet') },
        { press: ['g', 'b'], pair: true, does: t('goBookings') },
        { press: ['n'], does: t('newBooking') },
        { press: ['Esc'], does: t('close') },
        { press: ['F8'], does: t('messages') },
      ],
    },
    {
      title: t('lists'),
      keys: [
        { press: ['/'], does: t('search') },
        { press: ['j', '↓'], does: t('next') },
        { press: ['k', '↑'], does: t('previous') },
        { press: ['↵'], does: t('open') },
        { press: ['x'], does: t('select') },
      ],
    },
    {
      title: t('record'),
      keys: [
        { press: ['o'], does: t('full') },
        { press: ['e'], does: t('edit') },
        { press: ['s'], does: t('status') },
        { press: ['m'], does: t('note') },
      ],
    },
  ];
  return (
    <Dialog opened={opened} title={t('shell:nav.keys')} onClose={onClose}>
      {groups.map(({ title, keys }) => (
        <section key={title} className={classes['group']}>
          <h3 className={classes['title']}>{title}</h3>
          <dl className={classes['list']}>
            {keys.map(({ press, does, ...more }) => (
              <div key={does} className={classes['row']}>
                <dt>{does}</dt>
                <dd>
                  {'pair' in more ? (
                    <kbd>{t('then', { first: press[0] ?? '', second: press[1] ?? '' })}</kbd>
                  ) : (
                    press.map((key) => <kbd key={key}>{key}</kbd>)
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <CheckBox label={t('single')} labelShown checked={single} onChange={setSingle} />
      <p className="pg-help">{t('singleHelp')}</p>
    </Dialog>
  );
}
