import type { CanonicalTool } from '../tools/canonical-tools.js';
import type { JsonObject } from '../arguments/json.js';
import type { PolicyMode, Risk } from './policy-session.js';

/** One row of the policy table (docs/specification/policy.md#table). */
export interface PolicyRow {
  readonly modes: Readonly<Record<PolicyMode, 'allow' | 'ask'>>;
  readonly risk: Risk;
  /** What a human is told of a call that is asked. */
  readonly does: string;
  /** What the call touches, for the agent modes. */
  readonly touches: 'nothing' | 'files' | 'processes';
  /** In `strict` no rule allows it. */
  readonly strictAlwaysAsks?: true;
  /** The specification has every call of it asked ("run_command"); clients that said `hello` are spared the harmless ones. */
  readonly specificationAlwaysAsks?: true;
}

const reads = (does: string): PolicyRow => ({
  modes: { medium: 'allow', strict: 'ask', permissive: 'allow' },
  risk: 'low',
  does,
  touches: 'nothing',
});
const asksHuman = (does: string): PolicyRow => ({
  modes: { medium: 'allow', strict: 'allow', permissive: 'allow' },
  risk: 'low',
  does,
  touches: 'nothing',
});
const writes = (does: string): PolicyRow => ({
  modes: { medium: 'ask', strict: 'ask', permissive: 'allow' },
  risk: 'medium',
  does,
  touches: 'files',
});
const dangerous = (does: string, touches: 'files' | 'processes'): PolicyRow => ({
  modes: { medium: 'ask', strict: 'ask', permissive: 'ask' },
  risk: 'high',
  does,
  touches,
  strictAlwaysAsks: true,
});

const LIST_BRANCHES = reads('lists branches');
const LOOK_AT_PROCESSES = reads('looks at processes');

const TABLE: Readonly<Record<CanonicalTool, PolicyRow>> = {
  read_file: reads('reads a file'),
  list_files: reads('lists files'),
  search_in_project: reads('searches files'),
  'git.diff': reads('shows changes'),
  'git.status': reads('shows the state of the work tree'),
  'git.log': reads('shows commits'),
  apply_patch_review: asksHuman('shows a patch for review'),
  prompt_user: asksHuman('asks a question'),
  write_file: writes('writes a file'),
  apply_patch: writes('changes files'),
  create_directory: writes('creates a directory'),
  move_file: writes('moves a file'),
  kill_process: {
    modes: { medium: 'allow', strict: 'ask', permissive: 'allow' },
    risk: 'medium',
    does: 'stops a process',
    touches: 'processes',
  },
  delete_file: dangerous('deletes files', 'files'),
  'git.commit': dangerous('makes a commit', 'files'),
  'git.branch': dangerous('changes branches', 'files'),
  run_command: { ...dangerous('runs a command', 'processes'), specificationAlwaysAsks: true },
  run_persistent: dangerous('starts a process', 'processes'),
};

/** The row that judges a call; `git.branch` and `run_persistent` have two, by their action. */
export const rowOf = (tool: CanonicalTool, args: JsonObject): PolicyRow => {
  const action = args['action'];
  if (tool === 'git.branch' && action === 'list') return LIST_BRANCHES;
  if (tool === 'run_persistent' && (action === 'status' || action === 'list')) return LOOK_AT_PROCESSES;
  return TABLE[tool];
};
