import { indexMap, indexSearch } from '../capabilities/code-index.js';
import { editorOpenFile, editorRead, editorWrite } from '../capabilities/editor.js';
import { kernelExecute, kernelInterrupt, kernelRestart } from '../capabilities/kernel.js';
import { mediaRead } from '../capabilities/media-read.js';
import { processOutput } from '../capabilities/process-output.js';
import { shellExec, shellRestart } from '../capabilities/shell.js';
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
import type { CanonicalDefinition, WithAdditions } from './tool-definition.js';

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

const CAPABILITY_DEFINITIONS = [
  processOutput,
  mediaRead,
  shellExec,
  shellRestart,
  editorOpenFile,
  editorRead,
  editorWrite,
  indexSearch,
  indexMap,
  kernelExecute,
  kernelInterrupt,
  kernelRestart,
] as const satisfies readonly CanonicalDefinition[];

type Definition = (typeof DEFINITIONS)[number] | (typeof CAPABILITY_DEFINITIONS)[number];
type Named<Tool extends CanonicalTool> = Extract<Definition, { readonly name: Tool }>;

/** A canonical tool name, or that of a capability. */
export type CanonicalTool = Definition['name'];

/** What the schema of a tool's arguments takes, those that version 2.1 adds among them. */
export type ArgumentsOf<Tool extends CanonicalTool> = FromSchema<WithAdditions<Named<Tool>, 'parameters'>>;

/** What a call of a tool answers, with what version 2.1 adds. */
export type ResultOf<Tool extends CanonicalTool> = FromSchema<WithAdditions<Named<Tool>, 'result'>>;

/** A definition together with its name. */
export type CanonicalToolDefinition = CanonicalDefinition & { readonly name: CanonicalTool };

/** The 18 tools of the specification (docs/specification/tools.md#versions), in the order of the versions that brought them. */
export const TOOLS: readonly CanonicalToolDefinition[] = DEFINITIONS;

/** What clients of version 2.1 may have beside them (docs/specification/tools.md#capabilities). Only rows of vocabularies call these. */
export const CAPABILITIES: readonly CanonicalToolDefinition[] = CAPABILITY_DEFINITIONS;

/** The names of the 18, those that come with later versions too: policy and vocabularies know them all. */
export const CANONICAL_TOOLS: readonly CanonicalTool[] = TOOLS.map(({ name }) => name);

const BY_NAME: ReadonlyMap<string, CanonicalToolDefinition> = new Map([...TOOLS, ...CAPABILITIES].map((tool) => [tool.name, tool]));

const ON_WIRE: ReadonlyMap<string, CanonicalToolDefinition> = new Map(
  [...BY_NAME].map(([name, tool]) => [name, { ...tool, ...tool.additions }]),
);

/** The tool or the capability of this canonical name. */
export const findTool = (name: string): CanonicalToolDefinition | undefined => BY_NAME.get(name);

/** The same with all that version 2.1 lets it take and answer: what a call is checked by that no model has written. */
export const findWireTool = (name: string): CanonicalToolDefinition | undefined => ON_WIRE.get(name);

/** Whether a name is one of ours, which no foreign tool may take. */
export const isCanonicalTool = (name: string): name is CanonicalTool => BY_NAME.has(name);

/** Whether it is one that clients may have beside the 18. */
export const isCapability = (name: string): boolean => CAPABILITIES.some((tool) => tool.name === name);
