import type { EgressPage } from '@codelab/egress';
import type { ReadablePage } from '../read/html-to-markdown.js';
import { UnreadablePage, type PageReader } from '../read/page-reader.js';
import { decodeText } from './decode-text.js';

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const XML = /^(?:text|application)\/(?:[\w.-]+\+)?xml$/;
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;
/** Text under names that don't begin with `text/`. */
const TEXT =
  /^(?:text\/.+|application\/(?:javascript|ecmascript|typescript|x-sh|x-yaml|yaml|toml|sql|graphql|x-ndjson|jsonl|x-httpd-php))$/;
const UNKNOWN = /^(?:|application\/octet-stream|binary\/octet-stream)$/;
const LOOKS_LIKE_HTML = /^\s*(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype html|html|head|body)[\s>]/i;
const NO_TEXT = 'The page has no text without its scripts. Look for another page, an API, or the source it is made from.';

/** What an answer has to read, by its content type. Throws {@link UnreadablePage} for what is no text. */
export async function toReadable({ bytes, headers, url }: EgressPage, reader: PageReader): Promise<ReadablePage> {
  const given = headers['content-type'] ?? '';
  const type = given.split(';', 1)[0]!.trim().toLowerCase();
  const text = decodeText(bytes, given);
  if (HTML.test(type) || (UNKNOWN.test(type) && LOOKS_LIKE_HTML.test(text.slice(0, 1_000)))) {
    const page = await reader.read(text, url);
    return page.markdown === '' ? { ...page, markdown: NO_TEXT } : page;
  }
  const title = decodeURIComponent(/[^/]*$/.exec(new URL(url).pathname)![0].replace(/%(?![0-9a-f]{2})/gi, '%25'));
  if (JSON_TYPE.test(type)) return { title, markdown: prettyJson(text) };
  if (XML.test(type)) return (await reader.readFeed(text, url)) ?? { title, markdown: text.trim() };
  if (TEXT.test(type) || (UNKNOWN.test(type) && !text.includes('\0') && !text.includes('\uFFFD'))) return { title, markdown: text.trim() };
  throw new UnreadablePage(kindOf(type, bytes.length));
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.trim(); // cut, or several values in a row
  }
}

function kindOf(type: string, bytes: number): string {
  const size = bytes < 1_000 ? `${String(bytes)} bytes` : `${String(Math.round(bytes / 1_000))} kB`;
  if (type === 'application/pdf') return `it is a PDF (${size}), and only text is read; look for the page that it was made from`;
  if (type.startsWith('image/')) return `it is an image (${type}, ${size}), and only text is read`;
  return `it is ${type === '' ? 'no text' : type} (${size}), and only text is read`;
}
