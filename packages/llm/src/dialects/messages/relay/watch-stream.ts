import { endOfEvent, EventCutter, readEvent, type EventBlock } from '../../../stream/cut-events.js';
import type { WatchOptions } from '../../dialect.js';
import { LlmError } from '../../../errors/llm-error.js';
import { asObject, parseJson, type Fields } from '../../../json/read-json.js';
import type { Usage } from '../../../canonical/stream-part.js';
import type { StreamWatch } from '../../../stream/stream-watch.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { decodeError } from '../errors/decode-error.js';
import { decodeUsage, mergeUsage } from '../answer/usage.js';
import { restoreNames } from './relay-answer.js';

/** The types of most events of a stream: they say nothing that a watcher must know. */
const DELTA = 'content_block_delta';
const STOP = 'content_block_stop';
const START = 'content_block_start';

/**
 * Watches a Messages stream on its way to a caller of the same dialect. Bytes pass as they are, but for the names of tools that were mapped;
 * only the few events that say something about the whole answer are parsed.
 */
export function watchStream({ names }: WatchOptions = {}): StreamWatch {
  return new MessagesWatch(names);
}

class MessagesWatch implements StreamWatch {
  private readonly names: ToolNames | undefined;
  private readonly cutter = new EventCutter();
  private id: unknown;
  private usageNow: unknown;
  /** An error event that came behind events which had to be given first. */
  private failure: LlmError | undefined;
  begun = false;
  whole = false;

  constructor(names: ToolNames | undefined) {
    this.names = names;
  }

  get usage(): Usage | undefined {
    return decodeUsage(this.usageNow);
  }

  push(bytes: Uint8Array): Uint8Array {
    if (this.failure) throw this.failure;
    return this.watch(this.cutter.push(bytes));
  }

  end(): Uint8Array {
    if (this.failure) throw this.failure;
    const last = this.watch(this.cutter.end());
    if (!this.whole) throw new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');
    return last;
  }

  /** Looks at whole events, and gives them as they go on. */
  private watch(block: EventBlock): Uint8Array {
    const { bytes, latin1 } = block;
    const changed: Uint8Array[] = [];
    let given = 0; // up to here bytes stand in `changed`
    for (let from = 0, end; from < bytes.length; from = end) {
      end = endOfEvent(block, from);
      if (this.isPassed(latin1, from)) continue;
      try {
        const restored = this.see(bytes.subarray(from, end).toString('utf8'));
        if (restored === undefined) continue;
        changed.push(bytes.subarray(given, from), Buffer.from(restored));
        given = end;
      } catch (error) {
        if (from === 0 || !(error instanceof LlmError)) throw error;
        this.failure = error;
        this.whole = true; // `end` throws it
        return Buffer.concat([...changed, bytes.subarray(given, from)]);
      }
    }
    return changed.length === 0 ? bytes : Buffer.concat([...changed, bytes.subarray(given)]);
  }

  private isPassed(latin1: string, from: number): boolean {
    const isPassed = begins(latin1, from, DELTA) || begins(latin1, from, STOP) || (this.names === undefined && begins(latin1, from, START));
    if (isPassed) this.begun = true;
    return isPassed;
  }

  /** Reads an event; gives its text with the caller's names where it has others. */
  private see(text: string): string | undefined {
    const { event, data: json } = readEvent(text);
    const value = json === undefined ? undefined : parseJson(json);
    const data = asObject(value);
    const isError = data.type === 'error' || (data.type === undefined && asObject(data.error).message !== undefined); // the second one is OpenAI's
    if (event === 'error' || isError) throw decodeError({ body: value });
    if (json === undefined || value === undefined) return undefined; // a comment, or what the caller will judge
    this.judge(data.type ?? event, data);
    if (!this.names || data.content_block === undefined) return undefined;
    const restored = restoreNames(json, this.names);
    return restored === json ? undefined : text.replace(json, () => restored);
  }

  private judge(type: unknown, data: Fields): void {
    if (type !== 'ping') this.begun = true;
    if (type === 'message_start') this.begin(asObject(data.message));
    else if (type === 'message_delta') this.usageNow = mergeUsage(this.usageNow, data.usage);
    else if (type === 'message_stop') this.whole = true;
  }
  /** Another message's start can't be told from the rest of this one (ST22). */
  private begin({ id, usage }: Fields): void {
    if (this.id !== undefined && id !== undefined && id !== this.id) {
      throw new LlmError('stream_interrupted', 'The model provider began another answer in the middle of this one.');
    }
    this.id = id;
    this.usageNow = mergeUsage(this.usageNow, usage);
  }
}

/**
 * Whether the event at `from` is of this type by its name and by its data: an error may come under any name. `false` for the rarer ways to
 * write it, which are parsed.
 */
function begins(latin1: string, from: number, type: string): boolean {
  if (!latin1.startsWith('event: ', from) || !latin1.startsWith(type, from + 7)) return false;
  let at = from + 7 + type.length;
  if (latin1[at] === '\r') at += 1;
  if (latin1[at] === '\n') at += 1;
  if (!latin1.startsWith('data:', at)) return false;
  at = behindSpace(latin1, at + 5);
  if (latin1[at] !== '{') return false;
  at = behindSpace(latin1, at + 1);
  if (!latin1.startsWith('"type":', at)) return false;
  at = behindSpace(latin1, at + 7);
  return latin1[at] === '"' && latin1.startsWith(type, at + 1) && latin1[at + 1 + type.length] === '"';
}

const behindSpace = (text: string, at: number): number => (text[at] === ' ' ? at + 1 : at);
