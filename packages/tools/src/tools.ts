import { applyPatchReview } from './definitions/apply-patch-review.js';
import { applyPatch } from './definitions/apply-patch.js';
import { gitDiff } from './definitions/git-diff.js';
import { promptUser } from './definitions/prompt-user.js';
import { readFile } from './definitions/read-file.js';
import { writeFile } from './definitions/write-file.js';
import type { ToolDefinition } from './tool-definition.js';

/** The tools of this release, in the order of the specification. */
export const TOOLS: readonly ToolDefinition[] = [readFile, writeFile, gitDiff, applyPatch, applyPatchReview, promptUser];

/** The tool of this canonical name. */
export const findTool = (name: string): ToolDefinition | undefined => TOOLS.find((tool) => tool.name === name);
