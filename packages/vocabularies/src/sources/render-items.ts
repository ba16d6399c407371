import { isJsonObject, type JsonObject } from '@codelab/tools';
import type { ContextItem, UseResult } from '../table/row.js';
import { fitText } from './fit-text.js';

/** Items that are shown; the model reads the text of all. */
const MAX_ITEMS = 100;
const MAX_NAME = 200;
const MAX_URI = 4_096;

/**
 * The result of a tool by URL (docs/tools.md#by-url): `{"output": [{name, description, content, icon?, uri?}]}`. Contents are joined by an
 * empty line. `output` may be a plain text, `{"error": …}` is a failure in its own words, and anything else is read as the JSON that it is.
 */
export function renderItems(result: JsonObject, tool: string): UseResult {
  const { output, error } = result;
  if (error !== undefined && error !== null) return { text: `Error [TOOL_FAILED]: ${fitText(wordsOf(error))}`, isError: true };
  if (typeof output === 'string') return { text: fitText(output) };
  if (!Array.isArray(output)) return { text: fitText(JSON.stringify(output ?? result)) };
  const items = output.map((item: unknown) => toItem(item, tool));
  const text = items.map(({ content }) => content).filter((content) => content !== '');
  return { text: fitText(text.join('\n\n')), items: items.slice(0, MAX_ITEMS) };
}

const wordsOf = (error: unknown): string => {
  if (typeof error === 'string') return error;
  return isJsonObject(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error);
};

const toItem = (item: unknown, tool: string): ContextItem => {
  if (!isJsonObject(item)) return { name: tool, description: '', content: typeof item === 'string' ? item : JSON.stringify(item) };
  const { name, description, content, icon, uri } = item;
  return {
    name: textOr(name, tool, MAX_NAME),
    description: textOr(description, '', MAX_NAME),
    content: typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content),
    uri: typeof uri === 'string' && uri !== '' && uri.length <= MAX_URI ? uri : undefined,
    icon: toIcon(icon),
  };
};

const textOr = (value: unknown, otherwise: string, max: number): string =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, max) : otherwise;

/** A picture that whoever shows it fetches: from the web only. */
export const toIcon = (icon: unknown): string | undefined =>
  typeof icon === 'string' && icon.length <= MAX_URI && /^https:\/\/[^\s"'<>]+$/.test(icon) ? icon : undefined;
