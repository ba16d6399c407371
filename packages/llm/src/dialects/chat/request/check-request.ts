import {
  aList,
  checkFields,
  fields,
  flag,
  integerFrom,
  isAbsent,
  numberIn,
  oneOf,
  text,
  textOrTexts,
  type Check,
} from '../../../check/check-fields.js';
import { checkSchema } from '../../../check/check-schema.js';
import type { CheckOptions } from '../../dialect.js';
import { quote, refuse } from '../../../check/refuse.js';
import { ApiError } from '../../../errors/api-error.js';
import { checkMessages } from './check-messages.js';
import { checkChoice, checkTools } from './check-tools.js';

/** `-1` is how llama.cpp and LM Studio write "no limit". */
const limit: Check = (value, param) => (value === -1 ? undefined : integerFrom(1)(value, param));

const responseFormat: Check = (value, param) => {
  fields({}, { type: oneOf('text', 'json_object', 'json_schema') })(value, param);
  const { type, json_schema } = value as { type: string; json_schema?: unknown };
  if (type !== 'json_schema') return;
  if (isAbsent(json_schema)) throw refuse(`${param}.json_schema`, 'is missing');
  fields({ schema: checkSchema, strict: flag, description: text }, { name: text })(json_schema, `${param}.json_schema`);
};

/** Our extension: `true`, or Anthropic's object. */
const thinking: Check = (value, param) => {
  if (typeof value === 'boolean') return;
  if (typeof value !== 'object') throw refuse(param, `must be true, false or {"type": "enabled", "budget_tokens": …}, not ${quote(value)}`);
  fields({ budget_tokens: integerFrom(1), effort: text }, { type: oneOf('enabled', 'disabled', 'adaptive') })(value, param);
};

/** The fields that we read. All others go on as they came where the upstream speaks this dialect, and are dropped where it doesn't. */
const READ: Readonly<Record<string, Check>> = {
  model: text,
  stream: flag,
  stream_options: fields({ include_usage: flag }),
  max_tokens: limit,
  max_completion_tokens: limit,
  temperature: numberIn(0, 2),
  top_p: numberIn(0, 1),
  top_k: integerFrom(-1),
  n: integerFrom(1),
  stop: textOrTexts,
  user: text,
  safety_identifier: text,
  parallel_tool_calls: flag,
  reasoning_effort: text,
  response_format: responseFormat,
  thinking,
  use_vscode_tools: flag,
  use_ide_tools: flag,
  tool_execution: oneOf('none', 'auto'),
  max_tool_rounds: integerFrom(0),
  session_id: text,
};

/**
 * Judges a Chat Completions body: the types of what we read, and the five rules of tools (each tool is a function, with a name, with a
 * JSON Schema if any; each tool message names a call, and one that was made). `null` counts as absent. Throws `ApiError` with the field.
 */
export function checkRequest(body: unknown, options: CheckOptions = {}): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_request', `the body must be a JSON object, not ${quote(body)}`);
  }
  const request = body as Readonly<Record<string, unknown>>;
  checkFields(request, '', READ, { messages: aList });
  checkMessages(request.messages as readonly unknown[], options);
  const names = checkTools(request, options);
  // tools of IDEs come in later, and a choice may name one of them
  const isOpen = request.use_vscode_tools === true || request.use_ide_tools === true;
  checkChoice(request, isOpen ? undefined : names);
}
