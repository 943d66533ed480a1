import { DeskButton } from '@portage/kit/desk/button';
import { showToast } from '@portage/kit/desk/toasts';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './list.module.css';

export function ToastsSection() {
  const say = useSay();
  return (
    <Example title={say('Show one', 'En afficher un', '显示一条')}>
      <div className={classes['buttons']}>
        <DeskButton onClick={() => showToast({ text: say('Booking saved', 'Réservation enregistrée', '预订已保存') })}>
          {say('Done', 'Fait', '完成')}
        </DeskButton>
        <DeskButton
          onClick={() =>
            showToast({
              tone: 'info',
              text: say(
                'Marc and Ali are assigned to 49GC9E; both get a message',
                'Marc et Ali sont assignés à 49GC9E; un message leur est envoyé',
                'Marc 和 Ali 已分派到 49GC9E，将收到通知',
              ),
              action: { label: say('Undo', 'Annuler', '撤销'), onAct: () => {} },
            })
          }
        >
          {say('With a way back', 'Avec un retour', '可撤销')}
        </DeskButton>
        <DeskButton
          onClick={() =>
            showToast({
              tone: 'problem',
              text: say('The card of 49GC9E was refused', 'La carte de 49GC9E a été refusée', '49GC9E 的银行卡被拒'),
              action: { label: say('Open', 'Ouvrir', '查看'), onAct: () => {} },
            })
          }
        >
          {say('Problem elsewhere', 'Problème ailleurs', '其他位置的问题')}
        </DeskButton>
      </div>
    </Example>
  );
}
