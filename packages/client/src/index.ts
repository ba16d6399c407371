export type { ApprovalAnswer, ApprovalRequest, Approve, RememberedRule } from './approval-request.js';
export type { FloorConfig } from './floor-config.js';
export { backoffDelay, DEFAULT_BACKOFF, type Backoff } from './backoff.js';
export { ConnectionClosedError, RefusedError } from './client-errors.js';
export { clientIdFor } from './client-id.js';
export type { ClientOptions } from './client-options.js';
export { CodeLabClient, type CancelOutcome, type MessageOptions, type Resolution } from './client.js';
export type { ClosedReason, ConnectionState } from './connection-state.js';
export { createLocalFloor, type FloorMemory, type FloorPlace, type FloorVerdict, type LocalFloor } from './local-floor.js';
export { listLocalRules, localRuleId, removeLocalRule, type LocalRule } from './local-rules.js';
export { openLocalFloor, type LocalFloorOptions } from './open-local-floor.js';
export { reduceSession, withUserMessage } from './reduce-session.js';
export {
  EMPTY_VIEW,
  type SessionView,
  type ViewCall,
  type ViewEntry,
  type ViewQueued,
  type ViewToolEntry,
  type ViewTurn,
} from './session-view.js';
export type { OpenSocket, Socket, SocketClosing, SocketEvents } from './socket.js';
export type { CallPreview, RunContext, StopReason, ToolArguments, ToolExecutor, ToolOutcome } from './tool-executor.js';
export { workspaceExecutor } from './workspace-executor.js';
