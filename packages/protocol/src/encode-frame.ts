import { JsonText } from './json-text.js';

const holdsText = (value: unknown): boolean => {
  if (value === null || typeof value !== 'object') return false;
  return value instanceof JsonText || Object.values(value).some(holdsText);
};

const encode = (value: unknown): string => {
  if (value instanceof JsonText) return value.text;
  if (!holdsText(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  return `{${encodeMembers(value as object).slice(1)}}`;
};

/** The members of an object, each with a comma in front; those that are `undefined` or `null` stay out. */
const encodeMembers = (fields: object, leftOut?: string): string => {
  let text = '';
  for (const key of Object.keys(fields)) {
    const value: unknown = fields[key as keyof typeof fields];
    if (value !== undefined && value !== null && key !== leftOut) text += `,${JSON.stringify(key)}:${encode(value)}`;
  }
  return text;
};

/** The text of a frame. `JsonText` goes in as it is, at any depth; fields that are `undefined` or `null` stay out. `type` comes first. */
export function encodeFrame(frame: object & { readonly type: string }): string {
  return `{"type":${JSON.stringify(frame.type)}${encodeMembers(frame, 'type')}}`;
}

/**
 * A stored frame with fields added in front, without walking what it carries.
 * @param text a frame made by {@link encodeFrame}, which has none of the fields yet
 */
export function spliceFields(text: string, added: Readonly<Record<string, string | number | boolean>>): string {
  const members = Object.entries(added).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return members.length === 0 ? text : `{${members.join(',')},${text.slice(1)}`;
}
