export * as anthropic from './anthropic/index.js';
export { API_ERRORS, ApiError, toApiError, type ApiErrorDetails, type ApiErrorKind } from './api-error.js';
export { closeOrphans } from './close-orphans.js';
export { DEFAULT_ANTHROPIC_MODEL, DEFAULT_OPENAI_MODEL, defaultModel, OFFLINE_MODEL, type UpstreamKinds } from './default-model.js';
export { AnswerBuilder, collectAnswer, type Answer, type AnsweredCall } from './collect-answer.js';
export type {
  AnswerMeta,
  CheckOptions,
  DecodedRequest,
  EncodedError,
  PreparedRelay,
  RelayedText,
  RelayTarget,
  WatchOptions,
} from './dialect.js';
export { estimateTokens } from './estimate-tokens.js';
export type { AssistantItem, AttachedFile, HistoryItem, HistoryToolCall, NoteItem, ToolItem, UserItem } from './history-item.js';
export { historyToMessages, NOTE_PREFIX } from './history-to-messages.js';
export { LLM_ERRORS, LlmError, type LlmErrorCode, type LlmErrorDetails } from './llm-error.js';
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
} from './message.js';
export * from './json/index.js';
export * as openai from './openai/index.js';
export { placeCacheMarks } from './place-cache-marks.js';
export * as responses from './responses/index.js';
export { toProviderCallId } from './provider-call-id.js';
export type { Quirks } from './quirks.js';
export { readEvents, type ServerSentEvent } from './read-events.js';
export { scrubWording } from './scrub-wording.js';
export type { StreamWatch } from './stream-watch.js';
export type { FinishReason, StreamPart, Usage } from './stream-part.js';
export { isLegalToolName, ToolNames } from './tool-names.js';
