export { API_ERRORS, ApiError, toApiError, type ApiErrorDetails, type ApiErrorKind } from './errors/api-error.js';
export { closeOrphans } from './canonical/close-orphans.js';
export { DEFAULT_ANTHROPIC_MODEL, DEFAULT_OPENAI_MODEL, defaultModel, OFFLINE_MODEL, type UpstreamKinds } from './default-model.js';
export { AnswerBuilder, collectAnswer, type Answer, type AnsweredCall } from './canonical/collect-answer.js';
export { knownWindow, USUAL_CONTEXT_TOKENS, type ModelWindow } from './models/known-windows.js';
export { chat } from './dialects/chat/index.js';
export type {
  AnswerMeta,
  CountTokens,
  DecodedRequest,
  Dialect,
  EncodedRequest,
  ListedModel,
  PartEncoder,
  PreparedRelay,
  UpstreamCodec,
} from './dialects/dialect.js';
export { DIALECT_NAMES, DIALECTS, type DialectName } from './dialects/index.js';
export { messages } from './dialects/messages/index.js';
export { responses } from './dialects/responses/index.js';
export { planCut, type CutPlan, type WindowUse } from './context/plan-cut.js';
export { planCompaction, type CompactionPlan } from './context/plan-compaction.js';
export { tellItems } from './context/transcript.js';
export { headAndTail } from './history/left-out.js';
export { mechanicalSummary, userWords } from './context/mechanical-summary.js';
export { estimateTokens } from './canonical/estimate-tokens.js';
export { keepFirstCall } from './canonical/keep-first-call.js';
export { isViewItem } from './history/history-item.js';
export type {
  AssistantItem,
  AttachedFile,
  ClearItem,
  CutItem,
  HistoryItem,
  HistoryToolCall,
  NoteItem,
  SaidItem,
  SummaryItem,
  ToolItem,
  UserItem,
  ViewItem,
} from './history/history-item.js';
export { Conversation } from './history/conversation.js';
export { Growth } from './canonical/growth.js';
export { historyToMessages, NOTE_PREFIX } from './history/history-to-messages.js';
export { LLM_ERRORS, LlmError, type LlmErrorCode, type LlmErrorDetails } from './errors/llm-error.js';
export type {
  CacheMark,
  ImagePart,
  ImageSource,
  JsonSchema,
  Message,
  ModelRequest,
  ModelTool,
  Part,
  RedactedThinkingPart,
  ResponseFormat,
  TextPart,
  Thinking,
  ThinkingPart,
  Thought,
  ToolCallPart,
  ToolChoice,
  ToolResultPart,
} from './canonical/message.js';
export * from './json/index.js';
export { toProviderCallId } from './names/provider-call-id.js';
export type { Quirks } from './quirks.js';
export { readEvents, type ServerSentEvent } from './stream/read-events.js';
export type { Overflow } from './errors/overflow.js';
export { scrubWording } from './errors/scrub-wording.js';
export type { StreamWatch } from './stream/stream-watch.js';
export type { FinishReason, StreamPart, Usage } from './canonical/stream-part.js';
export { isLegalToolName, ToolNames } from './names/tool-names.js';
