import { decodeCacheMark } from '../../../canonical/cache-marks.js';
import type { ImagePart, ImageSource, TextPart } from '../../../canonical/message.js';
import { quote, refuse } from '../../../check/refuse.js';
import { asList, asObject, asText, type Fields } from '../../../json/read-json.js';

/** How the images that models take begin, in base64: what a data URL says of its bytes is not always true. */
const BEGINNINGS: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

const DATA_URL = /^data:(image\/[a-z0-9.+-]+)(?:;[^;,\s]*)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const HTTP_URL = /^https?:\/\/\S+$/i;

/** Reads the content of a message: a text, a list of parts, or nothing. What this model of a message has no part for is refused. */
export function decodeContent(content: unknown, param: string): (TextPart | ImagePart)[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  return asList(content).flatMap((part, place) => decodePart(asObject(part), `${param}[${place}]`));
}

function decodePart(part: Fields, param: string): (TextPart | ImagePart)[] {
  const cache = decodeCacheMark(part.cache_control);
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const text = asText(part[part.type]);
      return text === undefined ? [] : [{ kind: 'text', text, cache }];
    }
    case 'image_url': {
      const { image_url: image } = part;
      const [url, at] = typeof image === 'string' ? [image, 'image_url'] : [asObject(image).url, 'image_url.url'];
      const detail = asText(asObject(image).detail);
      return [{ kind: 'image', source: decodeImage(url as string, `${param}.${at}`), detail, cache }];
    }
    default:
      throw refuse(`${param}.type`, `the model of this request takes "text" and "image_url", not ${quote(part.type)}`);
  }
}

/** Where the bytes of an image are (RQ25). They are not fetched, and not decoded either. */
function decodeImage(url: string, param: string): ImageSource {
  if (HTTP_URL.test(url)) return { kind: 'url', url };
  const head = DATA_URL.exec(url);
  if (!head) throw refuse(param, `must be an http or https URL, or data:image/…;base64,…; it begins with ${quote(url.slice(0, 24))}`);
  const data = url.slice(head[0].length).replace(/\s+/g, '');
  if (!BASE64.test(data)) throw refuse(param, 'what stands after "base64," is not base64');
  const mediaType = BEGINNINGS.find(([start]) => data.startsWith(start))?.[1] ?? (head[1] as string).toLowerCase();
  return { kind: 'base64', mediaType: mediaType === 'image/jpg' ? 'image/jpeg' : mediaType, data };
}
