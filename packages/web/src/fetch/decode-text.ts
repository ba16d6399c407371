/** Where the declaration of a charset stands in a page, if it has one. */
const DECLARATION_BYTES = 1_024;
const IN_HTML = /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i;
const IN_XML = /^<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)["']/i;
const MARKS: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
];

/** 0x80 to 0x9f of Windows-1252, which some versions of Node decode as Latin-1. */
const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Bytes as text, as browsers do it: by the byte order mark, else the charset of the header, else the one that the page declares, else UTF-8; bytes that are
 * none of UTF-8 where nothing says so are read as Windows-1252.
 */
export function decodeText(bytes: Buffer, contentType: string): string {
  const mark = MARKS.find(([start]) => start.every((byte, place) => bytes[place] === byte))?.[1];
  const header = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1];
  const beginning = bytes.subarray(0, DECLARATION_BYTES).toString('latin1');
  const declared = (IN_HTML.exec(beginning) ?? IN_XML.exec(beginning))?.[1];
  for (const charset of [mark, header, declared?.replace(/^utf-16.*/i, 'utf-8')]) {
    const text = charset === undefined ? undefined : decodeAs(charset, bytes);
    if (text !== undefined) return text;
  }
  return decodeAs('utf-8', bytes, true) ?? decodeAs('windows-1252', bytes) ?? bytes.toString('latin1');
}

/** Nothing where the charset is unknown, or, if `fatal`, the bytes are none of it. A character that the limit cut in two at the end is forgiven. */
function decodeAs(charset: string, bytes: Buffer, fatal = false): string | undefined {
  try {
    const decoder = new TextDecoder(charset, { fatal });
    const text = decoder.decode(bytes, { stream: fatal });
    return decoder.encoding === 'windows-1252' ? text.replace(/[\x80-\x9f]/g, (one) => WINDOWS[one.charCodeAt(0) - 0x80]!) : text;
  } catch {
    return undefined;
  }
}
