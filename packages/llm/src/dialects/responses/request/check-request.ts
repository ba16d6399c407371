import {
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
import type { CheckOptions } from '../../dialect.js';
import { checkSchema } from '../../../check/check-schema.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';
import { quote, refuse } from '../../../check/refuse.js';

const KNOWN_CHOICES = ['auto', 'none', 'required'];

/**
 * Judges what we read of a request, on every path: the types of its fields, tools without a name, a choice of a tool that isn't there
 * (RQ10, RQ16), results without a call. What refers to things that only the upstream has is left to the upstream.
 */
export function checkRequest(body: unknown, options: CheckOptions = {}): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refuse('body', 'must be a JSON object.');
  const request = asObject(body);
  if (asText(request.model) === undefined) throw refuse('model', 'must name a model.');
  checkTypes(request);
  checkTools(request.tools, 'tools');
  checkChoice(request);
  checkItems(request, options);
}

/** The fields that we read. All others go on as they came where the upstream speaks this dialect, and are dropped where it doesn't. */
const READ: Readonly<Record<string, Check>> = {
  stream: flag,
  instructions: text,
  max_output_tokens: integerFrom(1),
  temperature: numberIn(0, 2),
  top_p: numberIn(0, 1),
  parallel_tool_calls: flag,
  store: flag,
  background: flag,
  text: fields({ format: fields({ name: text, strict: flag }, { type: text }) }),
  reasoning: fields({ effort: text, summary: text }),
  metadata: anObject,
  user: text,
  include: listOf(text),
};

function checkTypes(request: Fields): void {
  checkFields(request, '', READ);
  const { input } = request;
  if (typeof input !== 'string' && !Array.isArray(input)) throw refuse('input', 'must be a text or a list of items.');
  if (input.length === 0 && asText(request.previous_response_id) === undefined && asText(request.instructions) === undefined) {
    throw refuse('input', 'is empty: there is nothing to answer.');
  }
}

function checkTools(tools: unknown, param: string): void {
  if (tools === undefined || tools === null) return;
  if (!Array.isArray(tools)) throw refuse(param, 'must be a list.');
  for (const [place, value] of (tools as unknown[]).entries()) {
    const tool = asObject(value);
    const at = `${param}[${place}]`;
    if (asText(tool.type) === undefined) throw refuse(`${at}.type`, 'a tool needs a type, such as "function".');
    if (!['function', 'custom', 'namespace'].includes(String(tool.type))) continue;
    if (typeof tool.name !== 'string' || tool.name.trim() === '') throw refuse(`${at}.name`, 'a tool needs a name.');
    checkFields(tool, `${at}.`, { description: text });
    if (!isAbsent(tool.parameters)) checkSchema(tool.parameters, `${at}.parameters`);
    if (tool.type === 'namespace') checkTools(tool.tools, `${at}.tools`);
  }
}

function checkChoice({ tool_choice: choice, tools, input }: Fields): void {
  if (choice === undefined || choice === null) return;
  if (typeof choice === 'string') {
    if (!KNOWN_CHOICES.includes(choice)) throw refuse('tool_choice', `must be auto, none, required or an object, not ${quote(choice)}.`);
    return;
  }
  const { type, name } = asObject(choice);
  if (asText(type) === undefined) throw refuse('tool_choice', 'send "auto", "none", "required", or an object with `type`.');
  if (type !== 'function' && type !== 'custom') return;
  const later = (Array.isArray(input) ? (input as unknown[]) : []).flatMap((item) => asList(asObject(item).tools));
  const names = [...asList(tools), ...later].flatMap((tool) => [tool, ...asList(asObject(tool).tools)]).map((tool) => asObject(tool).name);
  if (!names.includes(name)) throw refuse('tool_choice', `names the tool ${quote(name)}, which is not in \`tools\`.`);
}

/** Each item is an object, and each result has its call, unless the call may stand where we can't see it. */
function checkItems(request: Fields, { lenient }: CheckOptions): void {
  if (!Array.isArray(request.input)) return;
  const calls = new Set<unknown>();
  const elsewhere = Boolean(request.previous_response_id ?? request.conversation) || lenient === true;
  let hidden = elsewhere;
  for (const [place, value] of (request.input as unknown[]).entries()) {
    const param = `input[${place}]`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(param, 'must be an object.');
    const { type, call_id: id } = asObject(value);
    if (isAbsent(type) || type === 'message') checkMessage(asObject(value), param);
    // a blank name gets a placeholder, and arguments that are no JSON go on as they are: what a model wrote can't be taken back
    if (type === 'function_call') checkFields(asObject(value), `${param}.`, { name: text, arguments: text });
    if (type === 'item_reference' || type === 'compaction') hidden = true;
    if (typeof type !== 'string') continue;
    if (type.endsWith('_call')) calls.add(id);
    if (type !== 'function_call_output' && type !== 'custom_tool_call_output') continue;
    if (asText(id) === undefined) throw refuse(`${param}.call_id`, 'a result needs the id of its call.');
    if (!hidden && !calls.has(id)) throw refuse(`${param}.call_id`, `there is no call ${quote(id)} before this result.`);
  }
}

/** Answers may be empty, what others say may not. */
function checkMessage({ role, content }: Fields, param: string): void {
  if (role !== 'assistant' && isAbsent(content)) throw refuse(`${param}.content`, 'is missing');
}
