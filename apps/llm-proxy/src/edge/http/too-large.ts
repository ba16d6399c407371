import { ApiError } from '@codelab/llm';

/** A body over the limit. */
export const tooLarge = (maxBodyBytes: number): ApiError =>
  new ApiError('too_large', `the body is larger than ${maxBodyBytes} bytes, the limit of this proxy (LLM_PROXY_MAX_BODY_BYTES)`);
