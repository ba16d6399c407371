import { JsonText } from './json-text.js';

const holdsText = (value: unknown): boolean => {
  if (value === null || typeof value !== 'object') return false;
  return value instanceof JsonText || Object.values(value).some(holdsText);
};

const encode = (value: unknown): string => {
  if (value instanceof JsonText) return value.text;
  if (!holdsText(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(encode).join(',')}]`;
  return encodeFields(value as object);
};

const encodeFields = (fields: object): string => {
  const members = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${encode(value)}`).join(',')}}`;
};

/** The text of a frame. `JsonText` goes in as it is, at any depth; fields that are `undefined` or `null` stay out. `type` comes first. */
export function encodeFrame(frame: object & { readonly type: string }): string {
  const { type, ...fields } = frame;
  return encodeFields({ type, ...fields });
}

/**
 * A stored frame with fields added in front, without walking what it carries.
 * @param text a frame made by {@link encodeFrame}, which has none of the fields yet
 */
export function spliceFields(text: string, added: Readonly<Record<string, string | number | boolean>>): string {
  const members = Object.entries(added).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return members.length === 0 ? text : `{${members.join(',')},${text.slice(1)}`;
}
