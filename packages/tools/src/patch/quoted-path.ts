const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };
const NAMES = new Map(Object.entries(ESCAPES).map(([letter, code]) => [code, letter]));

/**
 * Reads a path that git put between double quotes, with its C-style escapes (octal ones are UTF-8 bytes).
 *
 * @param text starts with the opening quote
 * @returns the path, and what follows the closing quote; `undefined` if the text is no such path
 */
export function readQuotedPath(text: string): { readonly path: string; readonly rest: string } | undefined {
  const bytes: number[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '"') return finish(bytes, text.slice(at + 1));
    if (char !== '\\') {
      const symbol = String.fromCodePoint(text.codePointAt(at)!);
      bytes.push(...new TextEncoder().encode(symbol));
      at += symbol.length - 1;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(text.slice(at + 1, at + 4))?.[0];
    const code = octal === undefined ? ESCAPES[text[at + 1] ?? ''] : Number.parseInt(octal, 8);
    if (code === undefined) return undefined;
    bytes.push(code);
    at += octal === undefined ? 1 : 3;
  }
  return undefined;
}

const finish = (bytes: readonly number[], rest: string): { readonly path: string; readonly rest: string } | undefined => {
  try {
    return { path: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes)), rest };
  } catch {
    return undefined; // a name that is not UTF-8 is none that our tools can use
  }
};

/** Writes a path as git does: as it is, or quoted if it has a control character, a quote or a backslash. */
export function quotePath(path: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are the point
  if (!/[\u0000-\u001f\u007f"\\]/.test(path)) return path;
  const quoted = [...path].map((char) => {
    const code = char.codePointAt(0)!;
    const name = NAMES.get(code);
    if (name !== undefined) return `\\${name}`;
    return code < 32 || code === 127 ? `\\${code.toString(8).padStart(3, '0')}` : char;
  });
  return `"${quoted.join('')}"`;
}
