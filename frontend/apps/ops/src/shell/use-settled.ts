import { useEffect, useState } from 'react';

const pauseMs = 500;

/** The value once it has stayed the same for a while. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
