import { useEffect, useState, type FormEvent } from 'react';
import { Icon } from '../parts/icons.js';
import { oidcPath, signIn, type Me, type Person } from '../rest/identity.js';
import type { Trouble } from '../rest/ask.js';
import { Mark } from '../shell/mark.js';
import { ThemeSwitch } from '../shell/theme-switch.js';

/** Why the provider sent somebody back. Anybody can write a link with such a word: only known ones are told, in our words. */
const REFUSALS = new Map([
  ['denied', 'The provider, or you, refused the sign-in.'],
  ['expired', 'The sign-in took longer than ten minutes, or was begun in another browser. Begin anew.'],
  ['mismatch', 'What the provider sent back does not belong to this sign-in. Begin anew.'],
  ['not_accepted', 'The provider knows you, but its token may not use CodeLab. Ask whoever runs the gateway.'],
  ['unavailable', 'The provider can’t be reached now: try again.'],
]);
const refusedByProvider = (): string | undefined => REFUSALS.get(new URLSearchParams(location.search).get('sign_in_error') ?? '');

/** Who isn't signed in sees this in place of every page, and is back there afterwards. */
export function SignInPage({ me, onSignedIn }: { me: Me; onSignedIn: (person: Person) => void }) {
  const [trouble, setTrouble] = useState<Trouble>();
  const [busy, setBusy] = useState(false);
  const { token: byToken, oidc } = me.methods;
  useEffect(() => {
    document.title = 'Sign in · CodeLab';
  }, []);

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    const token = new FormData(form).get('token');
    if (typeof token !== 'string' || token.trim() === '') return;
    setBusy(true);
    const answer = await signIn(token.trim());
    setBusy(false);
    form.reset();
    if (answer.ok) return onSignedIn(answer.value);
    setTrouble(answer.trouble);
  };

  const words = trouble === undefined ? refusedByProvider() : describe(trouble);
  return (
    <main className="co-sign-in">
      <div className="co-sign-in-card">
        <Mark />
        <h1>Sign in to CodeLab</h1>
        {words !== undefined && (
          <p className="co-form-trouble" role="alert">
            {words}
          </p>
        )}
        {oidc && (
          <a className="cl-button cl-button--primary co-block" href={oidcPath()}>
            Continue with {oidc.name}
          </a>
        )}
        {oidc && byToken && <p className="co-or">or</p>}
        {byToken && (
          <form onSubmit={(event) => void submit(event)}>
            <label htmlFor="token">Token</label>
            <input
              id="token"
              name="token"
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              autoFocus
              aria-describedby="token-note"
              aria-invalid={trouble !== undefined}
            />
            <button type="submit" className={`cl-button co-block ${oidc ? '' : 'cl-button--primary'}`} disabled={busy}>
              {busy ? 'Signing in …' : 'Sign in'}
            </button>
            <p id="token-note" className="co-faint">
              <code>codelab token</code> prints the one of a local system; elsewhere whoever runs the gateway gives you one. It is exchanged
              for a cookie that scripts can’t read, and kept nowhere else.
            </p>
          </form>
        )}
      </div>
      <footer className="co-sign-in-foot">
        <ThemeSwitch />
        <span className="co-faint">
          <Icon name="health" size={12} /> {me.version}
        </span>
      </footer>
    </main>
  );
}

function describe({ status, message }: Trouble): string {
  if (status === 401) return 'This token is not valid here. Look whether all of it was pasted, and whether it is of this system.';
  if (status === 403) return `${message}. Ask for a token with the scope session.`;
  if (status === 429) return 'Too many wrong tokens came from here. Wait a minute, then try again.';
  return message;
}
