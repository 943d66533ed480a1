import type { PaymentPlan } from '@portage/api';
import { Money } from '@portage/kit';

import { useShortWhen } from '../record/use-when.ts';
import classes from './form.module.css';
import { usePaymentWords } from './payment-words.ts';

/** The charges of a plan, each with its day by the clock of the move. */
export function Charges({ plan }: { plan: PaymentPlan }) {
  const when = useShortWhen(plan.zone);
  const words = usePaymentWords();
  return (
    <ul>
      {plan.charges.map((charge) => (
        <li key={`${charge.kind}-${charge.dueAt}`} className={classes['row']}>
          <span>
            {words.kind(charge.kind)} <span className="pg-muted">{when(charge.dueAt)}</span>
          </span>
          <Money value={charge.amount} />
        </li>
      ))}
    </ul>
  );
}
