/** The value at a path of names and numbers with dots between them (`data.items`, `links.0.href`); the whole for `''`. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? (inner as Record<string, unknown>)[key] : undefined,
      value,
    );
}

/** The text at a path; lists of texts are joined. `''` where there is none. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  if (Array.isArray(found)) return found.filter((one) => typeof one === 'string').join(' ');
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** What engines emphasise with tags, as plain text. */
export const plainText = (html: string): string =>
  html
    .replace(/<\/?(?:b|strong|em|i|mark|span|p|br)\b[^>]{0,200}>/gi, '')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,6}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      const code = decimal !== undefined ? Number(decimal) : hex !== undefined ? Number.parseInt(hex, 16) : undefined;
      if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      return ENTITIES[(name ?? '').toLowerCase()] ?? whole;
    })
    .trim();
