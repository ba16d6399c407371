const IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/**
 * The absolute path of an image that a paste is: a terminal writes it when a file is dropped on it, in quotes, with backslashes or as a
 * `file:` address. Undefined for every other paste.
 *
 * @param home the folder that `~` stands for
 */
export function pastedImagePath(text: string, home: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.includes('\n') || trimmed.includes('"@')) return undefined;
  const path = trimmed.startsWith('file://') ? fromAddress(trimmed) : unquote(trimmed);
  const absolute = path?.startsWith('~/') ? `${home}${path.slice(1)}` : path;
  return absolute?.startsWith('/') && IMAGE.test(absolute) && !absolute.includes('"') ? absolute : undefined;
}

/** How a message mentions it. */
export const imageMention = (path: string): string => `@"${path}"`;

/** What a shell would make of it; undefined where that are several words. */
function unquote(text: string): string | undefined {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted) return quoted[2];
  return /(?<!\\)\s/.test(text) ? undefined : text.replace(/\\(.)/g, '$1');
}

function fromAddress(text: string): string | undefined {
  try {
    return decodeURIComponent(new URL(text).pathname);
  } catch {
    return undefined; // a text that only begins like one
  }
}
