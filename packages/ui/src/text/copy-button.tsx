import { useEffect, useState } from 'react';
import { CheckIcon, CopyIcon } from './icons.js';

/** How long it says that it has copied. */
const SAID_MS = 1_500;

/** Puts text into the clipboard, and says that it has. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SAID_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setState('done');
    } catch {
      setState('failed'); // the page may not, or isn't in front
    }
  };
  const label = state === 'done' ? 'Copied' : state === 'failed' ? 'Could not copy' : `Copy ${what}`;
  return (
    <button type="button" className="cl-icon-button cl-copy" title={label} aria-label={label} onClick={() => void copy()}>
      {state === 'done' ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}
