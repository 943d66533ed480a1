import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';

type Listener = (text: string) => void;
const listeners = new Set<Listener>();

/** Makes screen readers say `text` when they are free; used for route changes, price updates and results that appear elsewhere. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text);
}

export function LiveRegion() {
  const [said, setSaid] = useState({ text: '', count: 0 });
  useEffect(() => {
    const listener: Listener = (text) => setSaid((before) => ({ text, count: before.count + 1 }));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return (
    <VisuallyHidden>
      <div aria-live="polite" role="status" data-testid="announcer">
        {/* A new element for each sentence: screen readers speak what is added, also when it repeats the sentence before. */}
        <span key={said.count}>{said.text}</span>
      </div>
    </VisuallyHidden>
  );
}
