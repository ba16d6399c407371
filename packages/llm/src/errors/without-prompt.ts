import { asObject } from '../json/read-json.js';

/** What stands where something of the request stood. */
const GONE = '[…]';

/** Without blanks, quotes and backslashes, which servers write in ways of their own. About 32 characters of prose. */
const MIN_RUN = 24;
/** Blocks of this length stand on a grid in the request: a run of `MIN_RUN` covers one, wherever it lies. */
const BLOCK = 12;
/** A whole text of the request, or a quoted piece of one, is recognised from this length on. */
const MIN_TEXT = 8;
const MIN_PIECE = 4;

/** Where the conversation stands in the body of a request, in any dialect. */
const CONVERSATION = new Set(['messages', 'input', 'system', 'instructions', 'prompt']);
/** What names things: a model, a tool, a call. Programs react to these words, and they say nothing. */
const NAMES = new Set(['model', 'name', 'id', 'type', 'role', 'status', 'call_id', 'tool_use_id', 'tool_call_id', 'item_id', 'media_type']);
const IDENTIFIER = /^[\w.:/@-]{1,200}$/;

/** What pydantic and others repeat of what they were given, to the end of it as far as that can be told. */
const REPEATED_INPUT = [
  /(\binput_value=).*?(?=, input_type=|\]\s|$)/gs,
  /((['"])input\2\s*:\s*).*?(?=,\s*(['"])(?:ctx|url|type|loc|msg)\3\s*:|\}\s*(?:\]|,\s*\{)|$)/gs,
];
const QUOTED = /(['"`])(.{4,}?)\1/gs;
const ELLIPSIS = /\.{3,}|…/;

/**
 * An error text of a provider without what it repeats of the request (L1): runs of about 32 characters and more, however they are quoted
 * and escaped; whole texts of the conversation; quoted pieces of it; what validators print as their input. Names of models, tools and
 * fields stay. Takes a few milliseconds for each megabyte of request.
 *
 * @param request the body that was sent: JSON
 */
export function withoutPrompt(message: string, request: string): string {
  let text = message;
  for (const pattern of REPEATED_INPUT) text = text.replace(pattern, `$1${GONE}`);
  const said = new Said();
  said.read(request);
  const conversation = said.conversation();
  text = withoutRuns(text, conversation + said.others());
  for (const whole of said.short) if (text.includes(whole)) text = text.replaceAll(whole, GONE);
  return text.replace(QUOTED, (all: string, quote: string, inner: string) => (isOf(conversation, inner) ? quote + GONE + quote : all));
}

/** The strings of a request. */
class Said {
  /** Whole texts of the conversation that are too short to be found as a run. */
  readonly short = new Set<string>();
  private readonly conversationNow: string[] = [];
  private readonly othersNow: string[] = [];

  read(request: string): void {
    let body: unknown;
    try {
      body = JSON.parse(request);
    } catch {
      this.conversationNow.push(request); // not JSON after all: a text like any other
    }
    for (const [name, value] of Object.entries(asObject(body))) {
      this.walk(name, value, CONVERSATION.has(name));
    }
  }

  conversation(): string {
    return condense(this.conversationNow.join('\n\n'));
  }

  others(): string {
    return condense(this.othersNow.join('\n\n'));
  }

  private walk(name: string, value: unknown, isSaid: boolean): void {
    if (typeof value === 'string') {
      if (NAMES.has(name) && IDENTIFIER.test(value)) return;
      (isSaid ? this.conversationNow : this.othersNow).push(value);
      const trimmed = isSaid && value.length <= 2 * MIN_RUN ? value.trim() : '';
      if (trimmed.length >= MIN_TEXT) this.short.add(trimmed);
    } else if (Array.isArray(value)) {
      for (const entry of value) this.walk(name, entry, isSaid);
    } else {
      for (const [key, entry] of Object.entries(asObject(value))) this.walk(key, entry, isSaid);
    }
  }
}

const BACKSLASH = 92;
/** `n`, `r` and `t`, which stand for blanks behind a backslash. */
const ESCAPES = new Set([110, 114, 116]);
const DROPPED = new Set([...'"\'`\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff'].map((character) => character.charCodeAt(0)));

/**
 * A text without blanks, quotes and backslashes. Code by code: a request has up to 32 MB, and regular expressions take ten times as long.
 *
 * @param places gets the place in `text` of each character that is kept
 */
function condense(text: string, places?: number[]): string {
  const kept = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += ESCAPES.has(text.charCodeAt(at + 1)) ? 1 : 0;
    else if (code > 32 && code !== 34 && code !== 39 && (code < 96 || !DROPPED.has(code))) {
      kept[length] = code;
      length += 1;
      places?.push(at);
    }
  }
  return Buffer.from(kept.buffer, 0, 2 * length).toString('utf16le');
}

/** Whether a quoted text is of the conversation: prose that stands there, or pieces of it around what was left out. */
function isOf(conversation: string, quoted: string): boolean {
  const pieces = quoted.split(ELLIPSIS).map((piece) => condense(piece));
  if (pieces.length === 1 && (IDENTIFIER.test(quoted) || quoted.length < MIN_TEXT)) return false;
  const telling = pieces.filter(({ length }) => length >= MIN_PIECE);
  return telling.length > 0 && telling.every((piece) => conversation.includes(piece));
}

/** Takes out what has `MIN_RUN` characters and more in common with the request. */
function withoutRuns(message: string, request: string): string {
  const places: number[] = [];
  const short = condense(message, places);
  if (short.length < MIN_RUN) return message;

  const blocks = new Map<string, number[]>();
  for (let begin = 0; begin + BLOCK <= short.length; begin += 1) {
    const block = short.slice(begin, begin + BLOCK);
    const known = blocks.get(block);
    if (known) known.push(begin);
    else blocks.set(block, [begin]);
  }
  const gone = new Uint8Array(short.length);
  for (let from = 0; from + BLOCK <= request.length; from += BLOCK) {
    for (const begin of blocks.get(request.slice(from, from + BLOCK)) ?? []) {
      if (gone[begin] === 1 && gone[begin + BLOCK - 1] === 1) continue;
      let [left, right] = [0, BLOCK];
      while (begin - left > 0 && short[begin - left - 1] === request[from - left - 1]) left += 1;
      while (begin + right < short.length && short[begin + right] === request[from + right]) right += 1;
      if (left + right >= MIN_RUN) gone.fill(1, begin - left, begin + right);
    }
  }
  return cut(message, places, gone);
}

function cut(message: string, places: readonly number[], gone: Uint8Array): string {
  let clean = '';
  let at = 0;
  for (let index = 0; index < gone.length; index += 1) {
    if (gone[index] !== 1) continue;
    clean += message.slice(at, places[index]);
    while (index + 1 < gone.length && gone[index + 1] === 1) index += 1;
    at = (places[index] ?? message.length) + 1;
    clean += GONE;
  }
  return clean + message.slice(at);
}
