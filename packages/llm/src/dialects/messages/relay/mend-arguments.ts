import { findJson, replaceJson } from '../../../json/index.js';
import { asList, asObject, toObjectText, type Fields } from '../../../json/read-json.js';

/**
 * A request whose earlier calls have their input as JSON text, as other dialects do: the dialect has objects there, so it becomes the object
 * that the text says, to the letter. Text that says none becomes `{}`, as in the other direction (RQ1, RQ2).
 */
export function mendArguments(raw: string, body: unknown): string {
  const blocks = asList(asObject(body).messages).map((message) => asList(asObject(message).content).map(asObject));
  const isText = ({ type, input }: Fields): boolean => type === 'tool_use' && typeof input === 'string';
  if (!blocks.some((list) => list.some(isText))) return raw;
  const spans = [...findJson(raw, ['messages', '*', 'content', '*', 'input'])].filter(({ path, start }) => {
    return raw.charAt(start) === '"' && isText(blocks[Number(path[1])]?.[Number(path[3])] ?? {});
  });
  return replaceJson(
    raw,
    spans.map((span) => ({ ...span, text: toObjectText(JSON.parse(raw.slice(span.start, span.end)) as string).trim() })),
  );
}
