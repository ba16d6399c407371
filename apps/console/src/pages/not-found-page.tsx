import { Page } from '../parts/page.js';
import { Link } from '../router/link.js';

export function NotFoundPage() {
  return (
    <Page title="No such page">
      <p>
        The console has no page at this address. <Link to="/sessions">Sessions</Link> are the usual beginning.
      </p>
    </Page>
  );
}
