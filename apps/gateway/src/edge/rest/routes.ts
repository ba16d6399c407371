import { ApprovalsController } from './approvals.controller.js';
import { AuditController } from './audit.controller.js';
import { ContextController } from './context.controller.js';
import { TasksController } from './tasks.controller.js';
import { FactsController } from './facts.controller.js';
import { HistoryController } from './history.controller.js';
import { ImagesController } from './images.controller.js';
import { InboxController } from './overview/inbox.controller.js';
import { RulesController } from './rules.controller.js';
import { ServicesController } from './overview/services.controller.js';
import { SessionsController } from './sessions.controller.js';
import { ToolsController } from './overview/tools.controller.js';
import { UsageController } from './overview/usage.controller.js';

/** The controllers of the REST interface, in the order in which its reference describes them. */
export const ROUTES = [
  SessionsController,
  HistoryController,
  ImagesController,
  ContextController,
  TasksController,
  ApprovalsController,
  InboxController,
  RulesController,
  AuditController,
  FactsController,
  ToolsController,
  UsageController,
  ServicesController,
] as const;
