import { lazy, type ComponentType, type ReactNode } from 'react';
import { readRoute, type Route } from '../router/route.js';
import { MissingFilesError } from './missing-files.js';
import { MorePage } from './more-page.js';
import { NotFoundPage } from './not-found-page.js';
import { SessionsPage } from './sessions/sessions-page.js';

/** A page whose files are loaded when it is wanted; a browser loads them once. */
interface LazyPage<P> {
  readonly Page: ComponentType<P>;
  load(): Promise<unknown>;
}

const later = <P,>(load: () => Promise<ComponentType<P>>): LazyPage<P> => ({
  load,
  Page: lazy(() =>
    load().then(
      (Page) => ({ default: Page }),
      (cause: unknown) => {
        throw new MissingFilesError(cause);
      },
    ),
  ),
});

interface QueryProps {
  readonly query: Readonly<Record<string, string>>;
}

const SESSION = later(async () => (await import('./session/session-page.js')).SessionPage);
const PAGES: ReadonlyMap<string, LazyPage<QueryProps>> = new Map([
  ['approvals', later<QueryProps>(async () => (await import('./approvals/approvals-page.js')).ApprovalsPage)],
  ['rules', later<QueryProps>(async () => (await import('./rules/rules-page.js')).RulesPage)],
  ['audit', later<QueryProps>(async () => (await import('./audit/audit-page.js')).AuditPage)],
  ['tools', later<QueryProps>(async () => (await import('./tools/tools-page.js')).ToolsPage)],
  ['tool-calls', later<QueryProps>(async () => (await import('./tool-calls/tool-calls-page.js')).ToolCallsPage)],
  ['usage', later<QueryProps>(async () => (await import('./usage/usage-page.js')).UsagePage)],
  ['services', later<QueryProps>(async () => (await import('./services/services-page.js')).ServicesPage)],
  ['settings', later<QueryProps>(async () => (await import('./settings/settings-page.js')).SettingsPage)],
]);

/** The page of a route. It suspends until its files have come. */
export function pageOf({ parts, query }: Route): ReactNode {
  const [place = 'sessions', name, ...others] = parts;
  if (others.length > 0 || (name !== undefined && place !== 'sessions')) return <NotFoundPage />;
  if (place === 'sessions') return name === undefined ? <SessionsPage query={query} /> : <SESSION.Page key={name} sessionId={name} />;
  if (place === 'more') return <MorePage />;
  const page = PAGES.get(place);
  return page === undefined ? <NotFoundPage /> : <page.Page query={query} />;
}

/** Loads the files of the page at an address before it is shown. A failure shows itself when the page is. */
export function preload(address: string): void {
  const [place = 'sessions', name] = readRoute(address).parts;
  const page = place === 'sessions' && name !== undefined ? SESSION : PAGES.get(place);
  page?.load().catch(() => undefined);
}
