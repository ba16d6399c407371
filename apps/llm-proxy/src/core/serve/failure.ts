import { ApiError, LlmError, toApiError } from '@codelab/llm';

/** Any failure as what a caller is told. What was not foreseen says nothing of itself: its message can quote what it stumbled over (L1). */
export function toCallerError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof LlmError) return toApiError(error);
  return new ApiError('internal', 'a fault in the proxy; its log has the request id');
}

/** The word for a failure in logs and metrics. */
export function failureWord(error: unknown): string {
  if (error instanceof ApiError) return error.kind;
  return error instanceof LlmError ? error.code : 'fault';
}
