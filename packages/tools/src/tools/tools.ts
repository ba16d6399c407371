import { applyPatch } from './apply-patch.js';
import { applyPatchReview } from './apply-patch-review.js';
import { createDirectory } from './create-directory.js';
import { deleteFile } from './delete-file.js';
import { gitBranch } from './git-branch.js';
import { gitCommit } from './git-commit.js';
import { gitDiff } from './git-diff.js';
import { gitLog } from './git-log.js';
import { gitStatus } from './git-status.js';
import { killProcess } from './kill-process.js';
import { listFiles } from './list-files.js';
import { moveFile } from './move-file.js';
import { promptUser } from './prompt-user.js';
import { readFile } from './read-file.js';
import { runCommand } from './run-command.js';
import { runPersistent } from './run-persistent.js';
import { searchInProject } from './search-in-project.js';
import { writeFile } from './write-file.js';
import type { FromSchema } from './from-schema.js';
import type { CanonicalDefinition } from './tool-definition.js';

const DEFINITIONS = [
  readFile,
  writeFile,
  gitDiff,
  applyPatch,
  applyPatchReview,
  promptUser,
  listFiles,
  searchInProject,
  runCommand,
  createDirectory,
  gitStatus,
  gitLog,
  gitCommit,
  deleteFile,
  moveFile,
  runPersistent,
  killProcess,
  gitBranch,
] as const satisfies readonly CanonicalDefinition[];

type Definition = (typeof DEFINITIONS)[number];

/** A canonical tool name. */
export type CanonicalTool = Definition['name'];

/** What the schema of a tool's arguments takes. */
export type ArgumentsOf<Tool extends CanonicalTool> = FromSchema<Extract<Definition, { readonly name: Tool }>['parameters']>;

/** What a call of a tool answers. */
export type ResultOf<Tool extends CanonicalTool> = FromSchema<Extract<Definition, { readonly name: Tool }>['result']>;

/** A definition together with its name. */
export type CanonicalToolDefinition = CanonicalDefinition & { readonly name: CanonicalTool };

/** The 18 tools of the specification (docs/specification/tools.md#versions), in the order of the versions that brought them. */
export const TOOLS: readonly CanonicalToolDefinition[] = DEFINITIONS;

/** The names of all, those that come with later versions too: policy and vocabularies know them all. */
export const CANONICAL_TOOLS: readonly CanonicalTool[] = TOOLS.map(({ name }) => name);

const BY_NAME: ReadonlyMap<string, CanonicalToolDefinition> = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** The tool of this canonical name. */
export const findTool = (name: string): CanonicalToolDefinition | undefined => BY_NAME.get(name);

/** Whether a name is one of the specification's, which no foreign tool may take. */
export const isCanonicalTool = (name: string): name is CanonicalTool => BY_NAME.has(name);
