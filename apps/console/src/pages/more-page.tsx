import { use } from 'react';
import { Icon } from '../parts/icons.js';
import { Page } from '../parts/page.js';
import { Link } from '../router/link.js';
import { SignedInContext } from '../shell/signed-in-context.js';
import { SignedInFoot } from '../shell/signed-in-foot.js';
import { ALL_PLACES } from '../shell/places.js';

/** On a phone: the pages for which its bottom has no room. */
export function MorePage() {
  const signedIn = use(SignedInContext);
  return (
    <Page title="More">
      <ul className="co-places">
        {ALL_PLACES.filter(({ near }) => !near).map(({ path, label, icon, about }) => (
          <li key={path}>
            <Link to={`/${path}`}>
              <Icon name={icon} size={18} />
              <span>
                <strong>{label}</strong>
                <span className="co-muted">{about}</span>
              </span>
              <Icon name="next" />
            </Link>
          </li>
        ))}
      </ul>
      {signedIn && <SignedInFoot signedIn={signedIn} />}
    </Page>
  );
}
