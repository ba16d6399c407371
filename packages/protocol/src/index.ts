export * from './call/call.js';
export * from './call/transitions.js';
export { CLOSE, type CloseEntry, type CloseName } from './close-codes.js';
export { cutContent, summariseMessage } from './cut-content.js';
export { decodeClientFrame } from './decode-client-frame.js';
export { decodeServerFrame } from './decode-server-frame.js';
export type { AnyDefinition } from './define-frame.js';
export { encodeFrame, spliceFields } from './encode-frame.js';
export { headOf, toEnvelope, type Envelope, type FrameHead, type FrameHeadOf } from './envelope.js';
export { ERRORS, refuse, type ErrorCode, type Refusal } from './errors.js';
export { fieldsOf, schemaOf, type Body, type Field } from './fields.js';
export { frameSchema, LOG_FIELDS } from './frame-schema.js';
export * from './frames/index.js';
export {
  PROTOCOL_VERSIONS,
  SESSION_MODES,
  type ForeignTool,
  type JournalledCall,
  type ProtocolVersion,
  type SessionMode,
  type WorkspaceInfo,
} from './frames/hello.frame.js';
export { Rule, RuleProposal } from './frames/rule.js';
export type { Operand, Preview } from './frames/tool/tool-preview.frame.js';
export type { Approval } from './frames/tool/tool-call.frame.js';
export type { ToolError } from './frames/tool/tool-result.frame.js';
export type { AgentRetry, RetryReason } from './frames/session-facts.frames.js';
export type { TurnError, TurnStop, Usage as TurnUsage } from './frames/turn.frames.js';
export { type Attachment, type ImageType, type MessageCommand, WHEN_BUSY, type WhenBusy } from './frames/user-message.frame.js';
export type { Snapshot } from './frames/welcome.frame.js';
export {
  OMISSIONS,
  type InstructionFile,
  type Omission,
  type UndoneFiles,
  type WorkspaceEnvironment,
  type WorkspaceFacts,
} from './frames/workspace-facts.frame.js';
export type { JsonSchema } from './json-schema.js';
export { JsonText } from './json-text.js';
export { LIMITS } from './limits.js';
export { pickProtocolVersion } from './pick-protocol-version.js';
export { scanObject, type Span } from './scan-object.js';
export { SERVER_CODES, TOOL_ERRORS, type ToolErrorCode } from './tool-errors.js';
