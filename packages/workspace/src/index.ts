export type { Ask, Review } from './ask.js';
export type { CallPreview } from './executor.js';
export { KeptContent, type KeptCall, type KeptState } from './kept/kept-content.js';
export type { KeptEffects, KeptIdentity, KeptMove, KeptTrash } from './kept/kept-effects.js';
export { openWorkspace, Workspace, type RunOptions, type ToolOutcome, type WorkspaceOptions } from './open-workspace.js';
export type { RepairedCall } from './repair-workspace.js';
export type { ToolError } from './to-tool-error.js';
export { ToolFailure } from './tool-failure.js';
export { workspaceIdentity, type WorkspaceIdentity } from './workspace-identity.js';
