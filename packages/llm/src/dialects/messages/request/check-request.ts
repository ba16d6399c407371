import {
  aList,
  anObject,
  checkFields,
  fields,
  flag,
  integerFrom,
  isAbsent,
  listOf,
  numberIn,
  text,
  type Check,
} from '../../../check/check-fields.js';
import { ApiError } from '../../../errors/api-error.js';
import type { CheckOptions } from '../../dialect.js';
import { quote } from '../../../check/refuse.js';
import { checkMessages, textBlocks } from './check-messages.js';
import { checkChoice, checkTools } from './check-tools.js';

const format = fields({ schema: anObject }, { type: text });

const thinking: Check = (value, param) => {
  fields({}, { type: text })(value, param);
  const { type } = value as { readonly type: string };
  if (type === 'enabled') fields({}, { budget_tokens: integerFrom(1) })(value, param);
};

/** The fields that we read. All others go on as they came where the upstream speaks this dialect, and are dropped where it doesn't. */
const READ: Readonly<Record<string, Check>> = {
  model: text,
  stream: flag,
  max_tokens: integerFrom(0), // 0 fills the cache and answers nothing
  system: (value, param) => (typeof value === 'string' ? undefined : textBlocks(value, param)),
  temperature: numberIn(0, 2),
  top_p: numberIn(0, 1),
  top_k: integerFrom(0),
  stop_sequences: listOf(text),
  metadata: fields({ user_id: text }),
  thinking,
  output_config: fields({ effort: text, format }),
  output_format: format,
};

/**
 * Judges a Messages body: the types of what we read, the names of tools (RQ16), the tool that is chosen (RQ10), and whether each result has
 * its call (RQ6). `null` counts as absent, and what a later version of the API may bring is let through. Throws `ApiError` with the field.
 */
export function checkRequest(body: unknown, options: CheckOptions = {}): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_request', `the body must be a JSON object, not ${quote(body)}`);
  }
  const request = body as Readonly<Record<string, unknown>>;
  // a thread that goes on has its tools and earlier messages at the provider
  const isWhole = isAbsent(request.thread);
  checkFields(request, '', READ, { messages: aList });
  checkMessages(request.messages as readonly unknown[], { lenient: options.lenient === true || !isWhole });
  const names = checkTools(request.tools);
  checkChoice(request.tool_choice, isWhole ? names : undefined);
}
