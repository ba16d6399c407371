import { Suspense, useEffect, useMemo } from 'react';
import { Icon } from '../parts/icons.js';
import { Link } from '../router/link.js';
import { useRoute, type Route } from '../router/route.js';
import { WaitingCallsProvider } from '../pages/approvals/waiting-calls.js';
import { pageOf, preload } from '../pages/pages.js';
import { Loading } from '../parts/list-view.js';
import { WaitingContext } from './document-title.js';
import { ErrorBoundary } from './error-boundary.js';
import { Mark } from './mark.js';
import { ALL_PLACES, PLACES, type Place } from './places.js';
import { SignedInContext, type SignedIn } from './signed-in-context.js';
import { SignedInFoot } from './signed-in-foot.js';

/** Most people open a session next: once the first page stands, its files are loaded. */
const PRELOAD_AFTER_MS = 1_500;

/** The frame of every page: navigation at the left, on a phone at the bottom. */
export function Shell({ signedIn }: { signedIn: SignedIn }) {
  const route = useRoute();
  const [current = 'sessions'] = route.parts;
  const page = useMemo(() => pageOf(route), [route]);
  useEffect(() => {
    const timer = setTimeout(() => preload('/sessions/any'), PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <SignedInContext value={signedIn}>
      <WaitingCallsProvider>
        {({ calls }) => (
          <WaitingContext value={calls?.length}>
            <a className="co-skip" href="#content">
              Skip to the page
            </a>
            <div className="co-shell">
              <SideBar current={current} waiting={calls?.length} signedIn={signedIn} />
              <div className="co-content" id="content" tabIndex={-1}>
                <ErrorBoundary place={placeOf(route)}>
                  <Suspense key={placeOf(route)} fallback={<Loading />}>
                    {page}
                  </Suspense>
                </ErrorBoundary>
              </div>
              <BottomBar current={current} waiting={calls?.length} />
            </div>
          </WaitingContext>
        )}
      </WaitingCallsProvider>
    </SignedInContext>
  );
}

const placeOf = ({ parts }: Route): string => parts.join('/');

function SideBar({ current, waiting, signedIn }: { current: string; waiting: number | undefined; signedIn: SignedIn }) {
  return (
    <nav className="co-side" aria-label="Pages">
      <Link to="/sessions" className="co-brand">
        <Mark size={24} />
        <span>CodeLab</span>
      </Link>
      {PLACES.map(({ label, places }) => (
        <div key={label} className="co-side-group" role="group" aria-label={label}>
          <p className="co-side-label" aria-hidden="true">
            {label}
          </p>
          {places.map((place) => (
            <PlaceLink key={place.path} place={place} current={current} waiting={waiting} />
          ))}
        </div>
      ))}
      <SignedInFoot signedIn={signedIn} />
    </nav>
  );
}

function PlaceLink({ place, current, waiting }: { place: Place; current: string; waiting: number | undefined }) {
  const count = place.path === 'approvals' ? (waiting ?? 0) : 0;
  return (
    <Link
      to={`/${place.path}`}
      className="co-place"
      aria-current={place.path === current ? 'page' : undefined}
      onPointerEnter={() => preload(`/${place.path}`)}
    >
      <Icon name={place.icon} />
      <span>{place.label}</span>
      {count > 0 && (
        <span className="co-count">
          {count}
          <span className="cl-hidden"> waiting</span>
        </span>
      )}
    </Link>
  );
}

function BottomBar({ current, waiting }: { current: string; waiting: number | undefined }) {
  const near = ALL_PLACES.filter((place) => place.near);
  const isFar = !near.some(({ path }) => path === current);
  return (
    <nav className="co-bottom" aria-label="Pages">
      {near.map((place) => (
        <PlaceLink key={place.path} place={place} current={current} waiting={waiting} />
      ))}
      <Link to="/more" className="co-place" aria-current={isFar ? 'page' : undefined}>
        <Icon name="more" />
        <span>More</span>
      </Link>
    </nav>
  );
}
