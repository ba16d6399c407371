import { ApprovalsController } from './approvals.controller.js';
import { AuditController } from './audit.controller.js';
import { ContextController } from './context.controller.js';
import { TasksController } from './tasks.controller.js';
import { FactsController } from './facts.controller.js';
import { HistoryController } from './history.controller.js';
import { RulesController } from './rules.controller.js';
import { SessionsController } from './sessions.controller.js';

/** The controllers of the REST interface, in the order in which its reference describes them. */
export const ROUTES = [
  SessionsController,
  HistoryController,
  ContextController,
  TasksController,
  ApprovalsController,
  RulesController,
  AuditController,
  FactsController,
] as const;
