/** Where a link of a model leads: to an address that a browser may open, to a file of the workspace, or nowhere. */
export type LinkTarget =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string; readonly line?: number }
  | { readonly kind: 'none' };

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Reads the address of a link. What is neither `http:`, `https:` nor `mailto:`, nor plainly a path of the workspace, leads nowhere. */
export function readLink(href: string): LinkTarget {
  // oxlint-disable-next-line no-control-regex
  const text = href.replace(/[\x00-\x20\x7f]/g, '');
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url !== undefined && SCHEMES.has(url.protocol) ? { kind: 'address', url: url.href } : { kind: 'none' };
  }
  if (text === '' || /^(?:[/\\#?]|\.\.)/.test(text) || text.includes('\\')) return { kind: 'none' };
  const [, path = '', line] = /^([^#?]+?)(?:(?:#L|:)(\d{1,7})[^#?]*)?$/.exec(text) ?? [];
  return path === ''
    ? { kind: 'none' }
    : { kind: 'file', path: path.replace(/^\.\//, ''), line: line === undefined ? undefined : Number(line) };
}
