import { judgeCommand } from '@codelab/tools';
import type { CallPreview, Executor } from './executor.js';
import { previewCommand } from '../processes/approval/preview-command.js';
import { ToolFailure } from '../tool-failure.js';

const missing = (name: string, action: string): ToolFailure =>
  new ToolFailure('INVALID_ARGUMENTS', `run_persistent: "${name}" is missing for "${action}".`);

/** Starts processes that go on after the call, and looks at them (docs/specification/tools.md#run_persistent). Looking changes nothing and needs nobody. */
export const runPersistent: Executor<'run_persistent'> = {
  watched: ({ command, action = 'start' }) =>
    action === 'start' && (command === undefined || judgeCommand(command).verdict !== 'automatic'),

  async run({ process_id: processId, command, cwd, action = 'start', offset = 0 }, { processes, approved, operands, signal, sessionId }) {
    if (action === 'list') return { processes: await processes.list() };
    if (processId === undefined) throw missing('process_id', action);
    if (action === 'status') return processes.status(processId, offset);
    if (command === undefined) throw missing('command', action);
    return processes.start(processId, { command, cwd, approved, operands, signal, sessionId, goesOn: true });
  },

  async preview({ process_id: processId, command, cwd, action = 'start' }, { commands }): Promise<CallPreview> {
    if (action !== 'start') return { preview: { kind: 'text', text: `Looks at ${processId ?? 'all processes'}.` }, operands: [] };
    if (processId === undefined || command === undefined) throw missing(command === undefined ? 'command' : 'process_id', action);
    return previewCommand(commands, command, cwd);
  },
};
