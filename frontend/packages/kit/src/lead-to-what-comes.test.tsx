import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { renderDesk, useTexts } from './desk/test/render-desk.tsx';
import { Notice } from './notice.tsx';
import { ErrorState, LoadingState } from './states.tsx';

useTexts();
const failure = { status: 409, detail: 'Not now.', requestId: null };

type Step = 'failed' | 'loading' | 'there';

/** A part that fails, is on its way, and is there, as the test says. */
function Part({ after }: { after: (go: (step: Step) => void) => void }) {
  const [step, setStep] = useState<Step>('failed');
  return (
    <main>
      <button type="button">Before</button>
      <div>
        {step === 'failed' ? (
          <ErrorState
            failure={failure}
            onRetry={() => {
              setStep('loading');
              after(setStep);
            }}
          />
        ) : step === 'loading' ? (
          <LoadingState />
        ) : (
          <section>
            <h2>What came</h2>
            <a href="#x">A link</a>
          </section>
        )}
      </div>
    </main>
  );
}

const retry = () => screen.getByRole('button', { name: 'Try again' });

it('leads from "Try again" to what comes, not to the bars meanwhile', async () => {
  let go: (step: Step) => void = () => {};
  const { user } = renderDesk(<Part after={(then) => (go = then)} />);
  await user.click(retry());
  expect(document.querySelector('[data-loading-state]')).toBeVisible();
  expect(document.body).toHaveFocus();
  go('there');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'What came' })).toHaveFocus());
});

it('leads to the next try when it failed again', async () => {
  let go: (step: Step) => void = () => {};
  const { user } = renderDesk(<Part after={(then) => (go = then)} />);
  await user.click(retry());
  go('failed');
  await waitFor(() => expect(retry()).toHaveFocus());
});

it('leaves whoever went elsewhere alone', async () => {
  let go: (step: Step) => void = () => {};
  const { user } = renderDesk(<Part after={(then) => (go = then)} />);
  await user.click(retry());
  await user.click(screen.getByRole('button', { name: 'Before' }));
  go('there');
  await screen.findByRole('heading', { name: 'What came' });
  expect(screen.getByRole('button', { name: 'Before' })).toHaveFocus();
});

it('leads on to the next control where nothing comes', async () => {
  function Gone() {
    const [shown, setShown] = useState(true);
    return (
      <main>
        {shown ? <ErrorState failure={failure} onRetry={() => setShown(false)} /> : null}
        <button type="button">Behind</button>
      </main>
    );
  }
  const { user } = renderDesk(<Gone />);
  await user.click(retry());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Behind' })).toHaveFocus(), { timeout: 3000 });
});

function Closed({ last = false }: { last?: boolean }) {
  const [shown, setShown] = useState(true);
  return (
    <main>
      <button type="button">Before</button>
      {shown ? <Notice onDismiss={() => setShown(false)}>Words</Notice> : null}
      {last ? <p>Nothing more</p> : <button type="button">Behind</button>}
    </main>
  );
}

it.each([
  [false, 'Behind'],
  [true, 'Before'],
])('leads from a notice that is closed to the control beside it (%s)', async (last, name) => {
  const { user } = renderDesk(<Closed last={last} />);
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.getByRole('button', { name })).toHaveFocus());
});
