import { loadTexts, whenIdle } from '@portage/frame';
import { createLazyRoute } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';

import { BookingsPage } from '../features/bookings/list-page.tsx';

/** In the place of a card that could not be fetched: nobody came for it. */
const Nothing = () => null;

const FirstStepsCard = lazy(() =>
  Promise.all([import('../features/first-steps/card.tsx'), loadTexts('firstSteps')()]).then(
    ([module]) => ({ default: module.FirstStepsCard }),
    () => ({ default: Nothing }),
  ),
);

/** The list of bookings, where the day begins; how far a new company is stands above it once the list is there. */
function Start() {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    whenIdle(() => setIdle(true));
  }, []);
  return (
    <>
      {idle ? (
        <Suspense fallback={null}>
          <FirstStepsCard />
        </Suspense>
      ) : null}
      <BookingsPage />
    </>
  );
}

export const Route = createLazyRoute('/desk/bookings')({ component: Start });
