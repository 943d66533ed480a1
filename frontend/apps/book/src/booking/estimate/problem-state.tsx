import type { ApiProblem } from '@portage/api';
import { LinkButton } from '@portage/frame';
import { ErrorState, type Failure } from '@portage/kit';
import { useTranslation } from 'react-i18next';

import { type AddressRefusal, addressRefusal } from '../draft/address-refusal.ts';
import { useDraft } from '../draft/draft-store.ts';

/** The way to the address that was refused, where the reason stands at its field. */
export function CorrectAddress({ refusal }: { refusal: AddressRefusal }) {
  const { t } = useTranslation('estimate');
  const place = useDraft().ends[refusal.end].place?.address.fullAddress ?? '';
  return (
    <LinkButton variant="default" to="/locations" state={{ refused: { ...refusal, place } }}>
      {refusal.end === 'pickup' ? t('correct.pickup') : t('correct.dropoff')}
    </LinkButton>
  );
}

interface ProblemStateProps {
  problem: ApiProblem | null;
  title: string;
  onRetry?: () => void;
}

/** A failure of what is asked about the move; one about an address says which, and leads there. */
export function ProblemState({ problem, title, onRetry }: ProblemStateProps) {
  const refusal = addressRefusal(problem);
  const failure: Failure = problem ?? { status: 0, detail: '', requestId: null };
  return (
    <>
      <ErrorState
        failure={refusal ? { ...failure, status: 422, detail: refusal.text, requestId: failure.requestId } : failure}
        title={title}
        {...(onRetry && !refusal ? { onRetry } : {})}
      />
      {refusal ? (
        <div>
          <CorrectAddress refusal={refusal} />
        </div>
      ) : null}
    </>
  );
}
