import { useEffect, useState } from 'react';

/** A key or a click that was meant for something else must not decide what has just appeared. */
const ARMING_MS = 400;

/** Whether what is shown has been in sight long enough to be decided; anew whenever `what` changes. */
export function useArming(what: string): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    const timer = setTimeout(() => setArmed(what), ARMING_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return armed === what;
}
