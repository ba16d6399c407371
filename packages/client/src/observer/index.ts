export type { ApprovalAnswer, RememberedRule } from '../approvals/approval-request.js';
export { ConnectionClosedError, RefusedError } from '../client-errors.js';
export { backoffDelay, DEFAULT_BACKOFF, type Backoff } from '../connection/backoff.js';
export type { ClosedReason, ConnectionState } from '../connection/connection-state.js';
export type { OpenSocket, Socket, SocketClosing, SocketEvents } from '../connection/socket.js';
export { randomId } from '../requests/random-id.js';
export { browserSocket, type BrowserSocketOptions, type NativeWebSocket } from './browser-socket.js';
export { MessageFinder } from './message-finder.js';
export type { Decision, NewMessage, ObserverOptions } from './observer-options.js';
export {
  askRest,
  RestError,
  restRecords,
  type Fetch,
  type LoadedImage,
  type RestOptions,
  type SessionChoice,
  type SessionRecords,
} from './session-records.js';
export type { Untimed } from './untimed.js';
export { SessionObserver } from './session-observer.js';
