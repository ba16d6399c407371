import { findJson } from '../../../json/index.js';
import { objectsToText } from '../../chat/relay/mend-arguments.js';
import { asList, asObject } from '../../../json/read-json.js';

/** As in Chat Completions: arguments of earlier function calls that came as objects become their own text. */
export function mendArguments(raw: string, body: unknown): string {
  const items = asList(asObject(body).input).map(asObject);
  const isMeant = (place: string | undefined): boolean => {
    const { type, arguments: value } = items[Number(place)] ?? {};
    return type === 'function_call' && typeof value === 'object' && value !== null;
  };
  if (!items.some((_, place) => isMeant(String(place)))) return raw;
  return objectsToText(
    raw,
    [...findJson(raw, ['input', '*', 'arguments'])].filter(({ path }) => isMeant(path[1])),
  );
}
