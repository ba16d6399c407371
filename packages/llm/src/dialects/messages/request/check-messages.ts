import { anObject, checkFields, fields, filledText, flag, listOf, oneOf, text, type Check } from '../../../check/check-fields.js';
import type { CheckOptions } from '../../dialect.js';
import { asList, asObject } from '../../../json/read-json.js';
import { quote, refuse } from '../../../check/refuse.js';

const SOURCES: Readonly<Record<string, Check>> = {
  base64: fields({}, { media_type: text, data: text }),
  url: fields({}, { url: text }),
};

const byType =
  (types: Readonly<Record<string, Check>>): Check =>
  (value, param) => {
    fields({}, { type: text })(value, param);
    const { type } = value as { readonly type: string };
    if (Object.hasOwn(types, type)) types[type]?.(value, param);
  };

const image = fields({}, { source: byType(SOURCES) });

/** Of the blocks in a result we read texts and images. */
const resultBlock = byType({ text: fields({}, { text }), image });

/** What we read of a block; blocks of other types go on as they came. */
const block = byType({
  text: fields({}, { text }),
  image,
  thinking: fields({ signature: text }, { thinking: text }),
  redacted_thinking: fields({}, { data: text }),
  // a blank name gets a placeholder: what a model wrote can't be taken back (RQ16)
  tool_use: fields({ input: anObject }, { id: filledText, name: text }),
  tool_result: fields(
    { is_error: flag, content: (value, param) => (typeof value === 'string' ? undefined : listOf(resultBlock)(value, param)) },
    { tool_use_id: filledText },
  ),
});

/** A list of text blocks: a system prompt. */
export const textBlocks: Check = listOf(byType({ text: fields({}, { text }) }));

const content: Check = (value, param) => {
  if (typeof value === 'string') return;
  if (!Array.isArray(value)) throw refuse(param, `must be a string or a list of blocks, not ${quote(value)}`);
  listOf(block)(value, param);
};

const role = oneOf('user', 'assistant', 'system');

/** Judges the conversation. A result must belong to a call that stands before it, unless `lenient`. */
export function checkMessages(messages: readonly unknown[], { lenient = false }: CheckOptions): void {
  if (messages.length === 0) throw refuse('messages', 'must have at least one message');
  const calls = new Set<unknown>();
  for (const [place, message] of messages.entries()) {
    const at = `messages[${place}]`;
    anObject(message, at);
    checkFields(asObject(message), `${at}.`, {}, { role, content });
    for (const [blockPlace, { type, id, tool_use_id }] of asList(asObject(message).content).map(asObject).entries()) {
      if (type === 'tool_use') calls.add(id);
      if (type !== 'tool_result' || lenient || calls.has(tool_use_id)) continue;
      const why = 'Each `tool_result` block must have a corresponding `tool_use` block in an earlier message.';
      const what = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${quote(tool_use_id)}`;
      throw refuse(`${at}.content[${blockPlace}].tool_use_id`, `${what}. ${why}`);
    }
  }
}
