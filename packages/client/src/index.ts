export type { ApprovalAnswer, ApprovalRequest, Approve, RememberedRule } from './approvals/approval-request.js';
export type { LocalPolicyConfig } from './local-policy/policy-file.js';
export { backoffDelay, DEFAULT_BACKOFF, type Backoff } from './connection/backoff.js';
export { ConnectionClosedError, RefusedError } from './client-errors.js';
export { clientIdFor } from './journal/client-id.js';
export { conversationsOf, lastSession, rememberSession, type RememberedFolder } from './journal/last-session.js';
export { claimFile, type Claimed } from './journal/claim-file.js';
export { processBirth } from './journal/process-birth.js';
export type { ClientOptions, ClientTraces } from './client-options.js';
export { CodeLabClient, type Resolution } from './client.js';
export type { CancelOutcome, MessageOptions } from './requests/session-requests.js';
export type { ClosedReason, ConnectionState } from './connection/connection-state.js';
export {
  createLocalPolicy,
  type RememberedDecision,
  type CallPlace,
  type LocalVerdict,
  type LocalPolicy,
} from './local-policy/local-policy.js';
export { holdsAt, listLocalRules, localRuleId, removeLocalRule, type LocalRule } from './local-policy/local-rules.js';
export { openLocalPolicy, type LocalPolicyOptions } from './local-policy/open-local-policy.js';
export type { OpenSocket, Socket, SocketClosing, SocketEvents } from './connection/socket.js';
export type { CallPreview, RunContext, StopReason, ToolArguments, ToolExecutor, ToolOutcome } from './calls/tool-executor.js';
export { openWebSocket } from './connection/web-socket.js';
export { nameOfTool, workspaceExecutor, type DeclaredTool } from './calls/tool-executor.js';
export { composeExecutors, type ComposedExecutor, type LeftOutTool } from './executors/compose-executors.js';
