import type { ReactNode } from 'react';
import type { Route } from '../router/route.js';
import { ApprovalsPage } from './approvals/approvals-page.js';
import { AuditPage } from './audit/audit-page.js';
import { MorePage } from './more-page.js';
import { NotFoundPage } from './not-found-page.js';
import { RulesPage } from './rules/rules-page.js';
import { ServicesPage } from './services/services-page.js';
import { SessionPage } from './session/session-page.js';
import { SessionsPage } from './sessions/sessions-page.js';
import { SettingsPage } from './settings/settings-page.js';
import { ToolCallsPage } from './tool-calls/tool-calls-page.js';
import { ToolsPage } from './tools/tools-page.js';
import { UsagePage } from './usage/usage-page.js';

/** The page of a route. */
export function pageOf({ parts, query }: Route): ReactNode {
  const [place = 'sessions', name, ...others] = parts;
  if (others.length > 0 || (name !== undefined && place !== 'sessions')) return <NotFoundPage />;
  switch (place) {
    case 'sessions':
      return name === undefined ? <SessionsPage query={query} /> : <SessionPage key={name} sessionId={name} />;
    case 'approvals':
      return <ApprovalsPage />;
    case 'rules':
      return <RulesPage query={query} />;
    case 'audit':
      return <AuditPage query={query} />;
    case 'tools':
      return <ToolsPage query={query} />;
    case 'tool-calls':
      return <ToolCallsPage query={query} />;
    case 'usage':
      return <UsagePage query={query} />;
    case 'services':
      return <ServicesPage />;
    case 'settings':
      return <SettingsPage />;
    case 'more':
      return <MorePage />;
    default:
      return <NotFoundPage />;
  }
}
