import { Button } from '@mantine/core';
import { ChoiceMenu, ConfirmDialog, Dialog, DisclosurePanel } from '@portage/kit';
import { IconWorld } from '@tabler/icons-react';
import { useState } from 'react';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './list.module.css';

export function Dialogs() {
  const say = useSay();
  const [open, setOpen] = useState<'plain' | 'ask' | 'danger' | null>(null);
  const [choice, setChoice] = useState('miles');
  const close = () => setOpen(null);
  const text = say(
    'What was charged already goes back to your card within five days. The start you had is free for others at once.',
    'Les sommes déjà portées à votre carte y reviennent d’ici cinq jours. Votre départ est aussitôt offert à d’autres.',
    '已扣的款项将在五天内退回您的银行卡。您原来的时段会立即开放给其他人。',
  );
  return (
    <>
      <Example title={say('Dialogs', 'Boîtes de dialogue', '对话框')}>
        <div className={classes['buttons']}>
          <Button onClick={() => setOpen('plain')}>{say('That tells', 'Qui informe', '告知')}</Button>
          <Button onClick={() => setOpen('ask')}>{say('That asks', 'Qui demande', '询问')}</Button>
          <Button onClick={() => setOpen('danger')}>{say('That warns', 'Qui avertit', '警告')}</Button>
        </div>
        <Dialog
          opened={open === 'plain'}
          title={say('How a move is priced', 'Comment un prix est calculé', '价格如何计算')}
          onClose={close}
        >
          {text}
        </Dialog>
        <ConfirmDialog
          opened={open === 'ask'}
          title={say('Start over?', 'Recommencer?', '重新开始？')}
          onConfirm={close}
          onCancel={close}
        >
          {text}
        </ConfirmDialog>
        <ConfirmDialog
          danger
          opened={open === 'danger'}
          title={say('Cancel booking PTG4-K7?', 'Annuler la réservation PTG4-K7?', '取消预订 PTG4-K7？')}
          confirmLabel={say('Cancel my booking and refund', 'Annuler ma réservation et rembourser', '取消预订并退款')}
          cancelLabel={say('Keep it', 'La garder', '保留')}
          onConfirm={close}
          onCancel={close}
        >
          {text}
        </ConfirmDialog>
      </Example>
      <Example title={say('Panel below a button', 'Volet sous un bouton', '按钮下方的面板')}>
        <DisclosurePanel
          label={say('Price in detail', 'Détail du prix', '价格明细')}
          tooltip={say('An estimate, taxes apart', 'Une estimation, taxes en sus', '估价，不含税')}
          button="$531.20"
        >
          <p>{text}</p>
        </DisclosurePanel>
      </Example>
      <Example title={say('Menu of choices', 'Menu de choix', '选择菜单')}>
        <div className={classes['menu']}>
          <ChoiceMenu
            label={say('Unit', 'Unité', '单位')}
            icon={<IconWorld size={18} stroke={1.75} aria-hidden />}
            shown={choice === 'miles' ? say('Miles', 'Milles', '英里') : say('Kilometres', 'Kilomètres', '公里')}
            value={choice}
            onChoose={setChoice}
            choices={[
              { value: 'miles', label: say('Miles', 'Milles', '英里') },
              { value: 'km', label: say('Kilometres', 'Kilomètres', '公里') },
            ]}
          />
        </div>
      </Example>
    </>
  );
}
