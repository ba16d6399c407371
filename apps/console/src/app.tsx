import { useCallback, useEffect, useMemo, useState } from 'react';
import { TroubleBox } from './parts/trouble-box.js';
import { Loading } from './parts/list-view.js';
import { forgetResources, useResource } from './resource/use-resource.js';
import { readMe, signOut, type Me, type Person } from './rest/identity.js';
import { SignInPage } from './sign-in/sign-in-page.js';
import { Shell } from './shell/shell.js';
import { SIGNED_OUT } from './shell/signed-out.js';

/** The console: whoever is signed in sees its pages, everybody else how to sign in. */
export function App() {
  const me = useResource<Me>('me', readMe);
  const { reload } = me;
  const [person, setPerson] = useState<Person | null>();
  const shown = person === undefined ? me.value?.signed_in : (person ?? undefined);

  const leave = useCallback(async () => {
    await signOut(); // without an answer the cookie stays, and whoever reloads is still there
    forgetResources();
    setPerson(null);
    reload();
  }, [reload]);
  useEffect(() => {
    const onSignedOut = (): void => {
      forgetResources();
      setPerson(undefined); // another tab may have signed in anew: it is asked
      reload();
    };
    addEventListener(SIGNED_OUT, onSignedOut);
    return () => removeEventListener(SIGNED_OUT, onSignedOut);
  }, [reload]);

  const signedIn = useMemo(
    () => shown && { person: shown, version: me.value?.version ?? '', signOut: () => void leave() },
    [shown, me.value?.version, leave],
  );

  if (signedIn) return <Shell signedIn={signedIn} />;
  if (me.value) return <SignInPage me={me.value} onSignedIn={setPerson} />;
  return <main className="co-sign-in">{me.trouble ? <TroubleBox trouble={me.trouble} onRetry={reload} /> : <Loading />}</main>;
}
