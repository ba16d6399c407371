import { expect, test } from '@jest/globals';
import { verifies } from '@codelab/testkit';
import { TOOLS } from './tools.js';

/** What clients and models depend on: arguments, then fields of the result. `?`: may be absent. Frozen: a name here never changes. */
const SHAPES: Readonly<Record<string, readonly [args: string, result: string]>> = {
  read_file: ['path', 'content encoding'],
  write_file: ['path content expected_sha256?', 'success bytes_written'],
  'git.diff': ['path staged? paths? untracked?', 'diff left_out?'],
  apply_patch: ['diff allow_dirty?', 'success files_modified'],
  apply_patch_review: ['diff message?', 'filtered_diff action chunks_selected chunks_total chunks_dropped? chunks_edited?'],
  prompt_user: ['message actions', 'action'],
  list_files: ['path? recursive? pattern? include_ignored? limit?', 'entries entries[].path entries[].type entries[].size? truncated'],
  search_in_project: [
    'query path? regex? case_sensitive? pattern? context_lines? include_ignored? limit?',
    'matches matches[].path matches[].line matches[].column matches[].text matches[].before? matches[].after? truncated',
  ],
  run_command: ['command cwd? timeout_ms?', 'exit_code stdout stderr duration_ms timed_out truncated signal?'],
  create_directory: ['path', 'success created'],
  'git.status': [
    'path?',
    'branch head upstream? ahead? behind? clean files files[].path files[].staged files[].unstaged files[].from? truncated',
  ],
  'git.log': [
    'limit? path?',
    'commits commits[].sha commits[].author commits[].email commits[].date commits[].subject commits[].body commits[].parents truncated',
  ],
  'git.commit': ['message files?', 'success sha branch files truncated'],
  delete_file: ['path', 'success files_deleted'],
  move_file: ['from to', 'success'],
  run_persistent: [
    'process_id? command? cwd? action? offset?',
    'process_id? status? pid? command? started_at_ms? exit_code? signal? output? offset? next_offset? processes?',
  ],
  kill_process: ['process_id', 'success process_id status exit_code? signal?'],
  'git.branch': ['action name?', 'success? name? current branches? branches[].name branches[].sha branches[].current branches[].upstream?'],
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema & { readonly items?: Schema }>>;
  readonly required?: readonly string[];
}

const namesOf = ({ properties = {}, required = [] }: Schema, prefix = ''): string[] =>
  Object.entries(properties).flatMap(([name, { items }]) => [
    `${prefix}${name}${required.includes(name) ? '' : '?'}`,
    ...(items === undefined ? [] : namesOf(items, `${name}[].`)),
  ]);

test(verifies('L3:tools:shapes', 'the arguments and results of the tools are these'), () => {
  expect(
    Object.fromEntries(TOOLS.map(({ name, parameters, result }) => [name, [namesOf(parameters).join(' '), namesOf(result).join(' ')]])),
  ).toEqual(SHAPES);
});
