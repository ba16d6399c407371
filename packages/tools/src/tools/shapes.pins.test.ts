import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { CAPABILITIES, TOOLS } from './tools.js';

/**
 * What clients and models depend on: version, group, access and idempotency, then arguments, then fields of the result. `?`: may be absent.
 * Frozen: what stands here never changes. A new tool breaks nobody; it is frozen with its first release.
 */
const SHAPES: Readonly<Record<string, readonly [tags: string, args: string, result: string]>> = {
  read_file: ['1.0 file readonly safe', 'path', 'content encoding'],
  write_file: ['1.0 file write unsafe', 'path content expected_sha256?', 'success bytes_written'],
  'git.diff': ['1.0 git readonly safe', 'path staged? paths? untracked?', 'diff left_out?'],
  apply_patch: ['1.0 file write unsafe', 'diff allow_dirty?', 'success files_modified'],
  apply_patch_review: [
    '1.0 user readonly safe',
    'diff message?',
    'filtered_diff action chunks_selected chunks_total chunks_dropped? chunks_edited?',
  ],
  prompt_user: ['1.0 user readonly safe', 'message actions', 'action'],
  list_files: [
    '1.1 file readonly safe',
    'path? recursive? pattern? include_ignored? limit?',
    'entries entries[].path entries[].type entries[].size? truncated',
  ],
  search_in_project: [
    '1.1 search readonly safe',
    'query path? regex? case_sensitive? pattern? context_lines? include_ignored? limit?',
    'matches matches[].path matches[].line matches[].column matches[].text matches[].before? matches[].after? truncated',
  ],
  run_command: ['1.1 process write unsafe', 'command cwd? timeout_ms?', 'exit_code stdout stderr duration_ms timed_out truncated signal?'],
  create_directory: ['1.1 file write unsafe', 'path', 'success created'],
  'git.status': [
    '1.2 git readonly safe',
    'path?',
    'branch head upstream? ahead? behind? clean files files[].path files[].staged files[].unstaged files[].from? truncated',
  ],
  'git.log': [
    '1.2 git readonly safe',
    'limit? path?',
    'commits commits[].sha commits[].author commits[].email commits[].date commits[].subject commits[].body commits[].parents truncated',
  ],
  'git.commit': ['1.2 git write unsafe', 'message files?', 'success sha branch files truncated'],
  delete_file: ['1.2 file write unsafe', 'path', 'success files_deleted'],
  move_file: ['1.2 file write unsafe', 'from to', 'success'],
  run_persistent: [
    '2.0 process write unsafe',
    'process_id? command? cwd? action? offset?',
    'process_id? status? pid? command? started_at_ms? exit_code? signal? output? offset? next_offset? processes?',
  ],
  kill_process: ['2.0 process write unsafe', 'process_id', 'success process_id status exit_code? signal?'],
  'git.branch': [
    '2.0 git write unsafe',
    'action name?',
    'success? name? current branches? branches[].name branches[].sha branches[].current branches[].upstream?',
  ],
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
  const shapes = TOOLS.map(({ name, since, group, access, idempotency, parameters, result }) => [
    name,
    [[since, group, access, idempotency].join(' '), namesOf(parameters).join(' '), namesOf(result).join(' ')],
  ]);
  expect(Object.fromEntries(shapes)).toMatchObject(SHAPES);
  expect(TOOLS.map(({ name }) => name).slice(0, 18)).toEqual(Object.keys(SHAPES)); // models see them in this order
});

/** What version 2.1 adds to them: arguments, then fields of the result. */
const ADDITIONS: Readonly<Record<string, readonly [args: string, result: string]>> = {
  read_file: ['offset? limit?', 'sha256? lines_total? truncated? lines_cut?'],
  write_file: ['', ''],
  list_files: ['depth? ignored? sort?', 'entries[].mtime_ms? total?'],
  search_in_project: [
    'glob? type? before? after? multiline? mode? offset?',
    'matches[].end_line? files? files[].path files[].count files[].mtime_ms total? total_matches?',
  ],
  run_command: ['', 'cwd_after? log?'],
};
const CAPABILITY_SHAPES: typeof SHAPES = {
  'process.output': ['2.1 process readonly safe', 'process_id offset? limit? wait_ms?', 'data next_offset first_offset state exit_code?'],
  'media.read': ['2.1 file readonly safe', 'path pages? max_bytes?', 'media_type data width? height? pages?'],
  'shell.exec': [
    '2.1 process write unsafe',
    'shell_id command timeout_ms?',
    'exit_code stdout stderr duration_ms timed_out truncated signal? cwd_after? restarted? ended? log?',
  ],
  'shell.restart': ['2.1 process write unsafe', 'shell_id', ''],
  'editor.open_file': ['2.1 file readonly safe', '', 'path? content? sha256? dirty selection?'],
  'editor.read': ['2.1 file readonly safe', 'path offset? limit?', 'content encoding sha256? lines_total? truncated? lines_cut?'],
  'editor.write': ['2.1 file write unsafe', 'path content expected_sha256?', 'success bytes_written'],
  'index.search': [
    '2.1 search readonly safe',
    'query limit?',
    'hits hits[].path hits[].start_line hits[].end_line hits[].text hits[].score note?',
  ],
  'index.map': ['2.1 search readonly safe', 'path? max_tokens?', 'text'],
  'kernel.execute': [
    '2.1 process write unsafe',
    'code timeout_ms?',
    'outputs outputs[].type outputs[].text? outputs[].data? outputs[].width? outputs[].height? error? execution_count? duration_ms? timed_out? ended? started? restarted? truncated?',
  ],
  'kernel.interrupt': ['2.1 process readonly safe', '', ''],
  'kernel.restart': ['2.1 process write unsafe', '', ''],
};

test(verifies('L3:additions', 'version 2.1 adds these arguments and fields to tools, and takes none away; capabilities have these'), () => {
  for (const { name, parameters, result, additions } of TOOLS) {
    const added = [additions?.parameters ?? parameters, additions?.result ?? result].map((schema) => namesOf(schema));
    const base = [namesOf(parameters), namesOf(result)];
    for (const [place, names] of base.entries()) expect(added[place]).toEqual(expect.arrayContaining(names));
    const more = added.map((names, place) => names.filter((each) => !base[place]!.includes(each)).join(' '));
    expect([name, more]).toEqual([name, ADDITIONS[name] ?? ['', '']]);
  }
  const shapes = CAPABILITIES.map(({ name, since, group, access, idempotency, parameters, result }) => [
    name,
    [[since, group, access, idempotency].join(' '), namesOf(parameters).join(' '), namesOf(result).join(' ')],
  ]);
  expect(Object.fromEntries(shapes)).toEqual(CAPABILITY_SHAPES);
});
