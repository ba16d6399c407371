import type { ContextItem, UseResult } from '../table/row.js';
import type { UseContext } from '../table/use-context.js';

/** A result of context items (seed `001…`): the model reads their contents, joined by an empty line. */
export const itemsResult = (...items: readonly ContextItem[]): UseResult => ({
  text: items.map(({ content }) => content).join('\n\n'),
  items,
});

export const failed = (text: string): UseResult => ({ text, isError: true });

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;

/** `/home/x y` → `file:///home/x%20y`. */
const uriOf = (absolute: string): string => {
  const path = absolute.replaceAll('\\', '/');
  return `file://${path.startsWith('/') ? '' : '/'}${path
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/^(\/?[a-zA-Z])%3A/, '$1:')}`;
};

/** A file, or lines of it, as an item. */
export const fileItem = (path: string, content: string, context: UseContext, description = `Contents of ${path}`): ContextItem => ({
  name: nameOf(path),
  description,
  content,
  uri: uriOf(context.toAbsolute(path)),
});
