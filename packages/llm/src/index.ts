export { DEFAULT_UPSTREAM_MODEL, defaultModel, OFFLINE_MODEL } from './default-model.js';
export { AnswerBuilder, collectAnswer, type Answer, type AnsweredCall } from './collect-answer.js';
export type { AssistantItem, AttachedFile, HistoryItem, HistoryToolCall, NoteItem, ToolItem, UserItem } from './history-item.js';
export { historyToMessages, NOTE_PREFIX } from './history-to-messages.js';
export { LLM_ERRORS, LlmError, type LlmErrorCode, type LlmErrorDetails } from './llm-error.js';
export type {
  ImagePart,
  ImageSource,
  JsonSchema,
  Message,
  ModelRequest,
  ModelTool,
  Part,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolChoice,
  ToolResultPart,
} from './message.js';
export { decodeAnswer as decodeOpenAiAnswer } from './openai/decode-answer.js';
export { decodeError as decodeOpenAiError, type ProviderRefusal } from './openai/decode-error.js';
export { decodeStream as decodeOpenAiStream } from './openai/decode-stream.js';
export { encodeRequest as encodeOpenAiRequest, type EncodedRequest } from './openai/encode-request.js';
export type { WireRequest as OpenAiRequest } from './openai/wire.js';
export { toProviderCallId } from './provider-call-id.js';
export { readEvents, type ServerSentEvent } from './read-events.js';
export type { FinishReason, StreamPart, Usage } from './stream-part.js';
export { ToolNames } from './tool-names.js';
