import type { LlmError } from '../llm-error.js';
import type { ProviderRefusal } from '../openai/decode-error.js';

export function decodeError(_refusal: ProviderRefusal): LlmError {
  throw new Error('being written');
}
