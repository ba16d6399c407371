import { readMediaHeader } from '../media/image-header.js';
import type { MimeBundle } from './bridge-event.js';
import type { CellPart } from './cell-part.js';

const IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

/** What an object says of itself that has nothing better: `<IPython.core.display.HTML object>`. */
const NOTHING_SAID = /^<[\w.]+ object(?: at 0x[0-9a-f]+)?>$/;

/** Richer ones first, where the plain text says nothing. */
const TEXTS = ['text/markdown', 'text/latex', 'image/svg+xml', 'application/json', 'text/html'] as const;

/** Of all that a display has, the one thing that a model reads: an image, else its plain text, else another text. */
export function chooseShown(data: MimeBundle): Omit<CellPart, 'name'> | undefined {
  const image = IMAGES.find((type) => data[type] !== undefined);
  if (image !== undefined) {
    const header = readMediaHeader(Buffer.from(data[image]!, 'base64'));
    if (header !== undefined && header.mediaType !== 'application/pdf')
      return { type: header.mediaType, text: '', image: { data: data[image]!, width: header.width, height: header.height } };
  }
  const plain = data['text/plain'];
  const richer = TEXTS.find((type) => data[type] !== undefined);
  if (plain !== undefined && (richer === undefined || !NOTHING_SAID.test(plain))) return { type: 'text/plain', text: plain };
  if (richer === undefined) return undefined;
  return richer === 'text/html' ? { type: 'text/plain', text: textOfHtml(data[richer]!) } : { type: richer, text: data[richer]! };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

/** The words of a piece of HTML: enough to know what stood there. */
const textOfHtml = (html: string): string =>
  html
    .replace(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/gi, '')
    .replace(/<\/t[dh]>\s*/gi, '\t')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^>]*>\s*/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name]!)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
