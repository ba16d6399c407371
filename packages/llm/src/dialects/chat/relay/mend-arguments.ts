import { findJson, replaceJson } from '../../../json/index.js';
import { asList, asObject, isObject } from '../../../json/read-json.js';

const PLACES = [
  ['messages', '*', 'tool_calls', '*', 'function', 'arguments'],
  ['messages', '*', 'function_call', 'arguments'],
];

/**
 * A request whose earlier calls have their arguments as objects, which some clients keep: the dialect has text there, so they become their own
 * text.
 */
export function mendArguments(raw: string, body: unknown): string {
  const calls = asList(asObject(body).messages)
    .map(asObject)
    .flatMap(({ tool_calls, function_call }) => [...asList(tool_calls).map((call) => asObject(call).function), function_call]);
  if (!calls.some((called) => isObject(asObject(called).arguments))) return raw;
  return objectsToText(
    raw,
    PLACES.flatMap((place) => [...findJson(raw, place)]),
  );
}

/** Writes the objects among these values as strings of their JSON text, to the letter. */
export function objectsToText(raw: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  const objects = spans.filter(({ start }) => raw.charAt(start) === '{');
  return replaceJson(
    raw,
    objects.map((span) => ({ ...span, text: JSON.stringify(raw.slice(span.start, span.end)) })),
  );
}
