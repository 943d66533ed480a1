import { BusyButton } from '@portage/kit';
import { CheckBox, DeskButton, IconButton } from '@portage/kit/desk/button';
import { IconDots, IconPlus } from '@tabler/icons-react';

import { useState } from 'react';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './list.module.css';

export function Controls() {
  const say = useSay();
  const [chosen, setChosen] = useState(true);
  const save = say('Save', 'Enregistrer', '保存');
  return (
    <>
      <Example title={say('Buttons', 'Boutons', '按钮')}>
        <div className={classes['buttons']}>
          {(['primary', 'default', 'quiet', 'danger'] as const).map((variant) => (
            <DeskButton key={variant} variant={variant} icon={<IconPlus size={16} stroke={2} aria-hidden />}>
              {save}
            </DeskButton>
          ))}
          <IconButton label={say('More', 'Plus', '更多')}>
            <IconDots size={18} stroke={1.75} aria-hidden />
          </IconButton>
          <CheckBox label={save} labelShown checked={chosen} onChange={setChosen} />
          <CheckBox label={save} labelShown checked={false} partly onChange={setChosen} />
        </div>
      </Example>
      <Example title={say('Not now', 'Pas maintenant', '暂不可用')}>
        <div className={classes['buttons']}>
          {(['primary', 'default', 'quiet', 'danger'] as const).map((variant) => (
            <DeskButton key={variant} variant={variant} disabled>
              {save}
            </DeskButton>
          ))}
          <IconButton label={say('More', 'Plus', '更多')} disabled>
            <IconDots size={18} stroke={1.75} aria-hidden />
          </IconButton>
          <CheckBox label={save} labelShown checked disabled onChange={setChosen} />
        </div>
      </Example>
      <Example title={say('At work', 'Au travail', '处理中')}>
        <div className={classes['buttons']}>
          <BusyButton>{save}</BusyButton>
          <BusyButton loading>{save}</BusyButton>
        </div>
      </Example>
    </>
  );
}
