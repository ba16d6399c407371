import { readBackground, stopBackground } from '../render/background.js';
import { defineRow } from '../table/row.js';
import { takes } from '../table/takes.js';

interface OutputArgs {
  readonly bash_id: string;
  readonly filter?: string;
  readonly block: boolean;
  readonly timeout: number;
}

/** `BashOutput`: what a background command has written since the last look. */
export const bashOutput = defineRow<OutputArgs>({
  name: 'BashOutput',
  displayName: 'Read command output',
  description:
    'Shows what a background command has written since you last looked, and whether it still runs. filter shows only lines in which a regular expression ' +
    'is found; what it leaves out does not come again. block waits for its end.',
  parameters: takes(['bash_id'], {
    bash_id: { type: 'string', minLength: 1, description: 'The name that Bash gave: bash_1.' },
    filter: { type: 'string', description: 'A regular expression.' },
    block: { type: 'boolean', default: false, description: 'Wait until it has ended.' },
    timeout: { type: 'integer', minimum: 0, maximum: 600_000, default: 30_000, description: 'How long to wait, in milliseconds.' },
  }),
  aliases: { TaskOutput: ({ task_id: bash_id, block = true, ...rest }) => ({ ...rest, bash_id, block }) },
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['process.output'],
  stands: 'process.output',
  next: ({ bash_id: id, filter, block, timeout }, outcomes, context) =>
    readBackground({ id, filter, blockMs: block ? timeout : undefined }, outcomes, context),
});

const renamed = ({ task_id, shell_id = task_id }: Record<string, unknown>) => ({ shell_id }) as never;

/** `KillShell`: stops a background command. */
export const killShell = defineRow<{ readonly shell_id: string }>({
  name: 'KillShell',
  displayName: 'Stop command',
  description: 'Stops a background command of this session, with all that it started.',
  parameters: takes(['shell_id'], { shell_id: { type: 'string', minLength: 1, description: 'The name that Bash gave: bash_1.' } }),
  aliases: { KillBash: renamed, TaskStop: renamed },
  policy: 'allow',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['kill_process', 'process.output'],
  stands: 'kill_process',
  next: ({ shell_id: id }, outcomes, context) => stopBackground(id, outcomes, context),
});
