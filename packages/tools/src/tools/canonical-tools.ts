/** The 18 tools of the specification (docs/specification/tools.md#versions), those that come with later versions too: policy and vocabularies know them all. */
export const CANONICAL_TOOLS = [
  'read_file',
  'write_file',
  'git.diff',
  'apply_patch',
  'apply_patch_review',
  'prompt_user',
  'list_files',
  'search_in_project',
  'run_command',
  'create_directory',
  'git.status',
  'git.log',
  'git.commit',
  'delete_file',
  'move_file',
  'run_persistent',
  'kill_process',
  'git.branch',
] as const;

/** A canonical tool name. */
export type CanonicalTool = (typeof CANONICAL_TOOLS)[number];

const names: ReadonlySet<string> = new Set(CANONICAL_TOOLS);

/** Whether a name is one of the specification's, which no foreign tool may take. */
export const isCanonicalTool = (name: string): name is CanonicalTool => names.has(name);
