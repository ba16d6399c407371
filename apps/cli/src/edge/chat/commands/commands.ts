import type { ActingCommand } from '../../../core/commands/commands.js';
import { offerAgents } from './agent.js';
import type { CommandEffect } from './command-effect.js';
import { showContext } from './context.js';
import { showCost } from './cost.js';
import { showChanges } from './diff.js';
import { showHelp } from './help.js';
import { steerKernel } from './kernel.js';
import { actOnServers } from './mcp.js';
import { offerModels } from './model.js';
import { beginNew } from './new.js';
import { resumeSession } from './resume.js';
import { showRules } from './rules.js';
import { listOwnSessions } from './sessions.js';
import { undoTurn } from './undo.js';

/** The outer part of each command that has one. */
export const COMMAND_EFFECTS: Readonly<Record<ActingCommand, CommandEffect>> = {
  agent: offerAgents,
  context: showContext,
  cost: showCost,
  diff: showChanges,
  help: showHelp,
  kernel: steerKernel,
  mcp: actOnServers,
  model: offerModels,
  new: beginNew,
  resume: resumeSession,
  rules: showRules,
  sessions: listOwnSessions,
  undo: undoTurn,
};
