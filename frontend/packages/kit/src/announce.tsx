import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';

type Listener = (text: string) => void;
const listeners = new Set<Listener>();

/** Makes screen readers say `text` when they are free; used for route changes, price updates and results that appear elsewhere. */
export function announce(text: string): void {
  for (const listener of listeners) listener(text);
}

export function LiveRegion() {
  const [text, setText] = useState('');
  useEffect(() => {
    // emptying first makes a repeated sentence audible again
    const listener: Listener = (next) => {
      setText('');
      requestAnimationFrame(() => setText(next));
    };
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
  return (
    <VisuallyHidden>
      <div aria-live="polite" role="status" data-testid="announcer">
        {text}
      </div>
    </VisuallyHidden>
  );
}
