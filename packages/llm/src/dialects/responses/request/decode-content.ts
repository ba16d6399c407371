import type { ImagePart, TextPart } from '../../../canonical/message.js';
import { asObject, asText, type Fields } from '../../../json/read-json.js';
import { quote, refuse } from '../../../check/refuse.js';

const DATA_URL = /^data:(image\/[a-z0-9.+-]+)(?:;[a-z0-9=.+-]+)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** As much of an image as is looked at: the rest of megabytes is the upstream's to judge. */
const JUDGED_CHARACTERS = 1_000;

/** The content of a message or of a tool's output: a text, or parts that are texts and images. Anything else is refused by name. */
export function decodeContent(content: unknown, param: string): (TextPart | ImagePart)[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw refuse(param, 'send a text or a list of parts.');
  return content.map((part, place) => decodePart(asObject(part), `${param}[${place}]`));
}

function decodePart(part: Fields, param: string): TextPart | ImagePart {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
      return { kind: 'text', text: textOf(part.text, `${param}.text`) };
    case 'refusal':
      return { kind: 'text', text: textOf(part.refusal, `${param}.refusal`) };
    case 'input_image':
      return decodeImage(part, param);
    case 'input_file':
      throw refuse(param, "a file can't be said to this model's upstream. Send its text as `input_text`, or its pages as `input_image`.");
    default:
      throw refuse(`${param}.type`, `unknown type ${quote(part.type)}; known are input_text, output_text, refusal and input_image.`);
  }
}

function textOf(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  throw refuse(param, 'must be a text.');
}

function decodeImage(part: Fields, param: string): ImagePart {
  const url = asText(part.image_url);
  if (url === undefined)
    throw refuse(param, 'an image needs `image_url`: an http(s) address or a data URL. Files by id are not kept here.');
  const detail = asText(part.detail);
  return { kind: 'image', source: sourceOf(url, `${param}.image_url`), detail };
}

function sourceOf(url: string, param: string): ImagePart['source'] {
  if (/^https?:\/\//i.test(url)) return { kind: 'url', url };
  const head = DATA_URL.exec(url.slice(0, JUDGED_CHARACTERS));
  const data = head && url.slice(head[0].length);
  if (!head?.[1] || !data || !BASE64.test(data.slice(0, JUDGED_CHARACTERS).replace(/\s/g, ''))) {
    throw refuse(param, 'must be an http(s) address or `data:image/…;base64,…`.');
  }
  return { kind: 'base64', mediaType: head[1].toLowerCase(), data };
}
