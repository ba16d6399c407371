import { readBackground, stopBackground } from '../../render/background.js';
import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';

const PROCESS_ID = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'The name that run_terminal_command told, such as "term_1".',
} as const;

/** Shows what a command in the background has written since the last look. */
export const readTerminalOutput = defineRow<{ readonly process_id: string; readonly filter?: string }>({
  name: 'read_terminal_output',
  displayName: 'Read terminal output',
  description:
    'Shows the new output of a command that runs in the background, and whether it still runs. What was shown once is not shown again.',
  parameters: takes(['process_id'], {
    process_id: PROCESS_ID,
    filter: {
      type: 'string',
      maxLength: 1_000,
      description: 'Only lines that match this regular expression; the others are dropped for good.',
    },
  }),
  policy: 'allow',
  readonly: true,
  idempotency: 'safe',
  needs: ['process.output', 'run_persistent'],
  stands: 'process.output',
  next: ({ process_id: id, filter }, outcomes, context) => readBackground({ id, filter }, outcomes, context),
});

/** Ends a command in the background. */
export const stopTerminal = defineRow<{ readonly process_id: string }>({
  name: 'stop_terminal',
  displayName: 'Stop terminal',
  description: 'Ends a command that runs in the background, with everything that it started. Do so when it is not needed any more.',
  parameters: takes(['process_id'], { process_id: PROCESS_ID }),
  policy: 'allow',
  readonly: false,
  idempotency: 'unsafe',
  needs: ['process.output', 'run_persistent', 'kill_process'],
  stands: 'kill_process',
  next: ({ process_id: id }, outcomes, context) => stopBackground(id, outcomes, context),
});
