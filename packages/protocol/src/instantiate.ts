import { fieldsOf, type Body } from './fields.js';
import { JsonText } from './json-text.js';
import type { Span } from './scan-object.js';

export type Fields = Readonly<Record<string, unknown>>;
export type Spans = ReadonlyMap<string, Span>;

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const isAbsent = (raw: Fields, name: string): boolean => !Object.hasOwn(raw, name) || raw[name] === undefined || raw[name] === null;

/**
 * An instance with the fields that the body declares; unknown ones are dropped and `null` counts as absent, but for a field that can have
 * any value: there it is one, unless the field that would stand in its stead is there.
 */
export const instantiate = (body: Body, raw: Fields, source?: { readonly text: string; readonly spans: Spans }): object => {
  const instance = new body() as Record<string, unknown>;
  for (const { name, shape } of fieldsOf(body)) {
    const takesNull = shape.kind === 'text' && shape.insteadOf !== undefined && isAbsent(raw, shape.insteadOf);
    if (isAbsent(raw, name) && !(takesNull && raw[name] === null)) continue;
    const value = raw[name];
    if (shape.kind === 'text') {
      const span = source?.spans.get(name);
      instance[name] =
        shape.insteadOf === undefined && !isObject(value)
          ? value
          : span === undefined
            ? JsonText.of(value)
            : new JsonText(source!.text.slice(span.start, span.end));
    } else if (shape.kind === 'nested') {
      const one = (item: unknown): unknown => (isObject(item) ? instantiate(shape.of, item) : item);
      instance[name] = shape.list && Array.isArray(value) ? value.map(one) : one(value);
    } else {
      instance[name] = value;
    }
  }
  return instance;
};
