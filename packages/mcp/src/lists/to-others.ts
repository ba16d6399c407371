import { isJsonObject, type JsonObject } from '@codelab/tools';
import type { Prompt, Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import { cleanLine, cleanText } from './clean-text.js';

export const MAX_RESOURCES = 1_000;
export const MAX_TEMPLATES = 200;
export const MAX_PROMPTS = 200;

const MAX_URI = 2_048;
const MAX_ARGUMENTS = 30;

const text = (value: unknown, max: number): string | undefined => (typeof value === 'string' ? cleanText(value, max) : undefined);
const line = (value: unknown, max: number): string | undefined => (typeof value === 'string' ? cleanLine(value, max) : undefined);

/** Without the fields that are undefined. */
const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** A name or an address that goes back to the server as it is, so it is kept only where nothing would be cleaned from it. */
const exact = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= max && cleanText(value, max) === value ? value : undefined;

const described = (item: JsonObject) => ({
  title: line(item['title'], 200),
  description: text(item['description'], 2_048),
  mimeType: line(item['mimeType'], 200),
});

/** A resource of a list; undefined for what is none. */
export function toResource(item: unknown): Resource | undefined {
  if (!isJsonObject(item)) return undefined;
  const uri = exact(item['uri'], MAX_URI);
  const size = typeof item['size'] === 'number' && Number.isFinite(item['size']) ? item['size'] : undefined;
  return uri === undefined ? undefined : defined({ uri, name: line(item['name'], 200) ?? uri, ...described(item), size });
}

export function toTemplate(item: unknown): ResourceTemplateType | undefined {
  if (!isJsonObject(item)) return undefined;
  const uriTemplate = exact(item['uriTemplate'], MAX_URI);
  return uriTemplate === undefined ? undefined : defined({ uriTemplate, name: line(item['name'], 200) ?? uriTemplate, ...described(item) });
}

export function toPrompt(item: unknown): Prompt | undefined {
  if (!isJsonObject(item)) return undefined;
  const name = exact(item['name'], 128);
  if (name === undefined) return undefined;
  const given = Array.isArray(item['arguments']) ? item['arguments'] : [];
  const args = given.slice(0, MAX_ARGUMENTS).flatMap((argument: unknown) => {
    const named = isJsonObject(argument) ? exact(argument['name'], 128) : undefined;
    if (named === undefined || !isJsonObject(argument)) return [];
    return [defined({ name: named, description: text(argument['description'], 1_024), required: argument['required'] === true })];
  });
  return defined({ name, title: line(item['title'], 200), description: text(item['description'], 2_048), arguments: args });
}
