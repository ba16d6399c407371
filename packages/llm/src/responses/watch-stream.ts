import type { WatchOptions } from '../dialect.js';
import { LlmError } from '../llm-error.js';
import { decodeError } from '../openai/decode-error.js';
import { asObject, asText } from '../openai/wire.js';
import { MAX_EVENT_CHARACTERS } from '../read-events.js';
import type { Usage } from '../stream-part.js';
import type { StreamWatch } from '../stream-watch.js';
import type { ToolNames } from '../tool-names.js';
import { decodeUsage } from './decode-usage.js';
import { restoreNames } from './restore-names.js';

/** How much of an event is looked at to learn what it is. */
const HEAD_BYTES = 200;
const NAME = /^event: ?(\S+)/m;
const TYPE = /"type"\s*:\s*"([^"]+)"/;
const ENDS = new Set(['response.completed', 'response.incomplete']);
const FAILURES = new Set(['response.failed', 'error']);

/** Watches the stream of an upstream that speaks this dialect. Only the events that end it, or name tools to be renamed, are parsed. */
export function watchStream(options: WatchOptions = {}): StreamWatch {
  return new ResponsesWatch(options.names);
}

class ResponsesWatch implements StreamWatch {
  readonly #names: ToolNames | undefined;
  #rest: Uint8Array = new Uint8Array();
  /** An error event that came behind events which had to be given first. */
  #failure: LlmError | undefined;
  begun = false;
  whole = false;
  usage: Usage | undefined;

  constructor(names: ToolNames | undefined) {
    this.#names = names;
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.#failure) throw this.#failure;
    const data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const out: Uint8Array[] = [];
    let isTouched = false;
    let start = 0;
    for (let end = endOfEvent(data, start); end !== -1; end = endOfEvent(data, start)) {
      try {
        const event = data.subarray(start, end);
        const seen = this.#see(event);
        isTouched ||= seen !== event;
        out.push(seen);
      } catch (error) {
        if (out.length === 0 || !(error instanceof LlmError)) throw error;
        this.#failure = error;
        this.whole = true; // `end` throws it
        return Buffer.concat(out);
      }
      start = end;
    }
    this.#rest = data.subarray(start);
    if (this.#rest.length > MAX_EVENT_CHARACTERS) {
      throw new LlmError('stream_interrupted', `The provider sent an event of more than ${MAX_EVENT_CHARACTERS} bytes.`);
    }
    return isTouched ? Buffer.concat(out) : data.subarray(0, start);
  }

  end(): Uint8Array {
    if (this.#failure) throw this.#failure;
    const last = this.#rest.length === 0 ? this.#rest : this.#see(this.#rest);
    if (!this.whole) throw new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');
    return last;
  }

  /** Looks at one event; gives it as it goes on. */
  #see(event: Uint8Array): Uint8Array {
    const head = Buffer.from(event.buffer, event.byteOffset, Math.min(event.length, HEAD_BYTES)).toString('latin1');
    const type = NAME.exec(head)?.[1] ?? TYPE.exec(head)?.[1];
    const mayMatter = type === undefined ? head.includes('data:') : ENDS.has(type) || FAILURES.has(type);
    if (type?.startsWith('response.')) this.begun = true;
    if (!mayMatter && !this.#names) return event;
    const text = new TextDecoder().decode(event);
    const json = [...text.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line).join('\n');
    const data = asObject(parse(json));
    this.#judge(type ?? asText(data.type), data);
    const renamed = this.#names && json !== '' && data.type !== undefined ? restoreNames(json, this.#names) : json;
    return renamed === json ? event : new TextEncoder().encode(text.replace(json, () => renamed));
  }

  #judge(type: string | undefined, data: Readonly<Record<string, unknown>>): void {
    if (type === undefined) return;
    this.begun = true;
    const response = asObject(data.response);
    if (FAILURES.has(type)) throw decodeError({ body: { error: data.error ?? response.error ?? data } });
    if (!ENDS.has(type)) return;
    this.whole = true;
    this.usage = decodeUsage(response.usage);
  }
}

/** The index after the blank line that ends the event at `start`; -1 if it is still to come. */
function endOfEvent(data: Uint8Array, start: number): number {
  for (let at = data.indexOf(10, start); at !== -1; at = data.indexOf(10, at + 1)) {
    if (data[at + 1] === 10) return at + 2;
    if (data[at + 1] === 13 && data[at + 2] === 10) return at + 3;
  }
  return -1;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // a comment, or an event that the caller will judge
  }
}
