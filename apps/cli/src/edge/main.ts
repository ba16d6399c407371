#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { CommandError } from '../core/command-error.js';
import { registerAudit } from './commands/audit.js';
import { registerBench } from './commands/bench.js';
import { registerChat } from './commands/chat.js';
import { registerDoctor } from './commands/doctor.js';
import { registerExec } from './commands/exec.js';
import { registerRules } from './commands/rules.js';
import { registerSecrets } from './commands/secrets.js';
import { registerSessions } from './commands/sessions.js';
import { registerTest } from './commands/test.js';
import { registerToken } from './commands/token.js';
import { registerUndo } from './commands/undo.js';
import { registerUp } from './commands/up.js';
import { trustNoWorkingFolder } from './trust-no-working-folder.js';

/** What a shell gets for a command line that isn't understood. */
const USAGE = 2;

trustNoWorkingFolder();

// Each command registers itself and imports what it needs when it runs, so that `--help` is instant.
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
const program = new Command('codelab')
  .description('A coding agent whose servers think and whose client acts.')
  .version(version)
  .exitOverride();
registerChat(program);
registerExec(program);
registerSessions(program);
registerRules(program);
registerAudit(program);
registerSecrets(program);
registerUp(program);
registerUndo(program);
registerToken(program);
registerDoctor(program);
registerTest(program);
registerBench(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE; // commander has printed it
  const known = error instanceof CommandError || (error instanceof Error && error.name === 'ConfigError');
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  return error instanceof CommandError ? error.exitCode : 1;
}
