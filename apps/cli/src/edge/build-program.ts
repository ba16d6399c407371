import { Command } from 'commander';
import { registerAcp } from './commands/acp.js';
import { registerAudit } from './commands/audit.js';
import { registerBench } from './commands/bench.js';
import { registerChaos } from './commands/chaos.js';
import { registerChat } from './commands/chat.js';
import { registerCompletion } from './commands/completion.js';
import { registerConfig } from './commands/config.js';
import { registerConformance } from './commands/conformance.js';
import { registerDoctor } from './commands/doctor.js';
import { registerExec } from './commands/exec.js';
import { registerIndex } from './commands/index-command.js';
import { registerMcp } from './commands/mcp.js';
import { registerRules } from './commands/rules.js';
import { registerSecrets } from './commands/secrets.js';
import { registerSessions } from './commands/sessions.js';
import { registerTest } from './commands/test.js';
import { registerToken } from './commands/token.js';
import { registerUndo } from './commands/undo.js';
import { registerUp } from './commands/up.js';

/** The table of commands. Each registers itself and imports what it needs when it runs, so that `--help` is instant. */
export function buildProgram(version: string): Command {
  const program = new Command('codelab')
    .description('A coding agent whose servers think and whose client acts.')
    .version(version)
    .exitOverride();
  registerChat(program);
  registerExec(program);
  registerAcp(program);
  registerSessions(program);
  registerRules(program);
  registerAudit(program);
  registerIndex(program);
  registerMcp(program);
  registerSecrets(program);
  registerUp(program);
  registerUndo(program);
  registerToken(program);
  registerConfig(program);
  registerConformance(program);
  registerDoctor(program);
  registerCompletion(program);
  registerTest(program);
  registerBench(program);
  registerChaos(program);
  return program;
}
