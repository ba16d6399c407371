import { Icon } from '../parts/icons.js';
import type { SignedIn } from './signed-in-context.js';
import { ThemeSwitch } from './theme-switch.js';

/** Who is signed in, the colours, and the way out. */
export function SignedInFoot({ signedIn: { person, version, signOut } }: { signedIn: SignedIn }) {
  return (
    <div className="co-side-foot">
      <p className="co-person" title={`${person.tenant}/${person.sub}, version ${version}`}>
        <span>{person.sub}</span>
        <span className="co-faint">{person.tenant}</span>
      </p>
      <div className="co-side-tools">
        <ThemeSwitch />
        <button type="button" className="co-icon-button" onClick={signOut} title="Sign out" aria-label="Sign out">
          <Icon name="leave" />
        </button>
      </div>
    </div>
  );
}
