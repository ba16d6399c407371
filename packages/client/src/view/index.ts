export type { ApprovalAnswer, RememberedRule } from '../approvals/approval-request.js';
export { readHistory } from './read-history.js';
export { reduceSession, type SessionEvent } from './reduce-session.js';
export {
  EMPTY_VIEW,
  isSettled,
  keyOf,
  type AssistantItem,
  type CallItem,
  type CallOutput,
  type CallProgress,
  type Item,
  type NoticeItem,
  type QueuedMessage,
  type Retry,
  type RunningTurn,
  type SessionView,
  type ShellItem,
  type ThoughtItem,
  type Todo,
  type TurnEndItem,
  type UserItem,
  type ViewAttachment,
  type ViewImage,
} from './session-view.js';
export * from './words/index.js';
export { ToldSettings } from './told-settings.js';
