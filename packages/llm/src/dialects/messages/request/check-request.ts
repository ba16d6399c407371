import {
  aList,
  anObject,
  type Check,
  checkFields,
  fields,
  filledText,
  flag,
  integerFrom,
  isAbsent,
  listOf,
  numberIn,
  oneOf,
  text,
} from '../../../check/check-fields.js';
import { quote, refuse } from '../../../check/refuse.js';
import type { CheckOptions } from '../../dialect.js';
import { checkMessages, textBlocks } from './check-messages.js';
import { ApiError } from '../../../errors/api-error.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';

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
  const request = body as Fields;
  // a thread that goes on has its tools and earlier messages at the provider
  const isWhole = isAbsent(request.thread);
  checkFields(request, '', READ, { messages: aList });
  checkMessages(request.messages as readonly unknown[], { lenient: options.lenient === true || !isWhole });
  const names = checkTools(request.tools);
  checkChoice(request.tool_choice, isWhole ? names : undefined);
}

/**
 * Judges `tools`. Those with a type of their own are the vendor's: the provider knows what they need. Gives the names that they declare,
 * or nothing where a set of tools declares names that only the provider knows.
 */
function checkTools(tools: unknown): ReadonlySet<string> | undefined {
  if (!isAbsent(tools)) aList(tools, 'tools');
  const names = new Set<string>();
  let isOpen = false;
  for (const [place, tool] of asList(tools).entries()) {
    const at = `tools[${place}]`;
    anObject(tool, at);
    const { type, name } = asObject(tool);
    if (isAbsent(type) || type === 'custom') {
      checkFields(asObject(tool), `${at}.`, { description: text, strict: flag }, { name: filledText, input_schema: anObject });
    } else {
      checkFields(asObject(tool), `${at}.`, { name: filledText }, { type: text });
      isOpen ||= asText(name) === undefined;
    }
    if (typeof name === 'string') names.add(name);
  }
  return isOpen ? undefined : names;
}

/** @param names the tools that a choice may name; left out: any */
function checkChoice(choice: unknown, names: ReadonlySet<string> | undefined): void {
  if (isAbsent(choice)) return;
  fields({ disable_parallel_tool_use: flag }, { type: oneOf('auto', 'any', 'tool', 'none') })(choice, 'tool_choice');
  const { type, name } = asObject(choice);
  if (type !== 'tool') return;
  if (typeof name !== 'string' || name.trim() === '') throw refuse('tool_choice.name', 'must name the tool', { param: 'tool_choice' });
  if (names && !names.has(name)) throw refuse('tool_choice', `names the tool ${quote(name)}, which the request doesn't declare`);
}
