import { anObject, checkFields, fields, filledText, isAbsent, listOf, oneOf, text, type Check } from '../../../check/check-fields.js';
import type { CheckOptions } from '../../dialect.js';
import { quote, refuse } from '../../../check/refuse.js';
import { asList, asObject } from '../../../json/read-json.js';

/** Of the parts of a content we read texts, refusals and images; those of other types go on as they came. */
const PARTS: Readonly<Record<string, Check>> = {
  text: fields({}, { text }),
  refusal: fields({}, { refusal: text }),
  image_url: fields(
    {},
    { image_url: (value, param) => (typeof value === 'string' ? undefined : fields({ detail: text }, { url: text })(value, param)) },
  ),
};

const part: Check = (value, param) => {
  fields({}, { type: text })(value, param);
  const { type } = asObject(value);
  if (Object.hasOwn(PARTS, type as string)) PARTS[type as string]?.(value, param);
};

const content: Check = (value, param) => {
  if (typeof value === 'string') return;
  if (!Array.isArray(value)) throw refuse(param, `must be a string, a list of parts or null, not ${quote(value)}`);
  listOf(part)(value, param);
};

const call: Check = (value, param) => {
  fields({ type: text }, { id: filledText })(value, param);
  const { type, function: called } = asObject(value);
  if (type !== undefined && type !== 'function') return; // a tool of another kind, such as a custom one
  // a blank name gets a placeholder, and arguments that are no JSON go on as they are: what a model wrote can't be taken back
  fields({ name: text, arguments: text })(called, `${param}.function`);
};

const ROLES = oneOf('system', 'developer', 'user', 'assistant', 'tool', 'function');

const COMMON: Readonly<Record<string, Check>> = { content, name: text };
const OF_ASSISTANT: Readonly<Record<string, Check>> = {
  ...COMMON,
  refusal: text,
  reasoning_content: text,
  tool_calls: listOf(call),
  function_call: fields({ arguments: text }, { name: text }),
};

/** Judges the conversation. A tool message must answer a call that stands before it, unless `lenient`. */
export function checkMessages(messages: readonly unknown[], { lenient = false }: CheckOptions): void {
  if (messages.length === 0) throw refuse('messages', 'must have at least one message');
  const calls = new Set<unknown>();
  for (const [place, message] of messages.entries()) {
    const at = `messages[${place}]`;
    anObject(message, at);
    const fieldsOf = asObject(message);
    const { role } = fieldsOf;
    checkFields(fieldsOf, `${at}.`, role === 'assistant' ? OF_ASSISTANT : COMMON, { role: ROLES });
    if (role === 'user' && isAbsent(fieldsOf.content)) throw refuse(`${at}.content`, 'is missing');
    if (role === 'assistant') {
      for (const { id } of asList(fieldsOf.tool_calls).map(asObject)) calls.add(id);
      if (!isAbsent(fieldsOf.function_call)) calls.add(functionId(asObject(fieldsOf.function_call).name));
    } else if (role === 'tool') {
      checkFields(fieldsOf, `${at}.`, {}, { tool_call_id: filledText });
      const id = fieldsOf.tool_call_id;
      if (!lenient && !calls.has(id)) throw refuse(`${at}.tool_call_id`, `no earlier message has a tool call with the id ${quote(id)}`);
    } else if (role === 'function') {
      checkFields(fieldsOf, `${at}.`, {}, { name: filledText });
      const name = fieldsOf.name;
      if (!lenient && !calls.has(functionId(name))) throw refuse(`${at}.name`, `no earlier message calls the function ${quote(name)}`);
    }
  }
}

/** What stands for the id of a call in the form of old, which has none. No id can look like this. */
function functionId(name: unknown): string {
  return `function\n${String(name)}`;
}
