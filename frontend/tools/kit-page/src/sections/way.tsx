import { CarryLine, type ProgressStep, StepProgress } from '@portage/kit';

import { Example } from '../example.tsx';
import { useSay } from '../say.ts';
import classes from './list.module.css';

export function Way() {
  const say = useSay();
  const labels = [
    say('Locations', 'Lieux', '地点'),
    say('Move type', 'Type de déménagement', '搬家类型'),
    say('Schedule', 'Date et heure', '时间'),
    say('Quote', 'Soumission', '报价'),
  ];
  const at = (here: number): ProgressStep[] =>
    labels.map((label, n) => ({
      key: String(n),
      label,
      state: n < here ? 'complete' : n === here ? 'current' : 'incomplete',
      done: n < here,
      here: n === here,
    }));
  return (
    <>
      {[0, 2, 3].map((here) => (
        <Example key={here} title={say(`At step ${here + 1}`, `À l’étape ${here + 1}`, `第 ${here + 1} 步`)}>
          <StepProgress
            label={say(`Booking, step ${here + 1}`, `Réservation, étape ${here + 1}`, `预订，第 ${here + 1} 步`)}
            steps={at(here)}
            canOpen={(step) => Number(step.key) <= here}
            renderLink={(step, content, props) => (
              <a href={`#${step.key}`} {...props}>
                {content}
              </a>
            )}
          />
        </Example>
      ))}
      <Example title={say('Carry line', 'Ligne de portage', '行程线')}>
        <div className={classes['narrow']}>
          <CarryLine
            label={say('Charges', 'Paiements', '扣款')}
            points={[
              {
                key: 'a',
                state: 'done',
                title: say('Deposit, $100.00', 'Acompte, 100,00 $', '订金 $100.00'),
                children: say('Paid on June 20', 'Payé le 20 juin', '6月20日已付'),
              },
              {
                key: 'b',
                state: 'here',
                title: say('Balance, $431.20', 'Solde, 431,20 $', '余款 $431.20'),
                children: say('On June 22 at 9:00 a.m.', 'Le 22 juin à 9 h', '6月22日 9:00'),
              },
              {
                key: 'c',
                state: 'planned',
                title: say('Tip', 'Pourboire', '小费'),
                children: say('After the move', 'Après le déménagement', '搬家之后'),
              },
            ]}
          />
        </div>
      </Example>
    </>
  );
}
