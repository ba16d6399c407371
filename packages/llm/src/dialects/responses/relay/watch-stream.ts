import { endOfEvent, EventCutter, readEvent, type EventBlock } from '../../../stream/cut-events.js';
import type { WatchOptions } from '../../dialect.js';
import { LlmError } from '../../../errors/llm-error.js';
import { decodeError } from '../../chat/errors/decode-error.js';
import { asObject, asText, parseJson, type Fields } from '../../../json/read-json.js';
import type { Usage } from '../../../canonical/stream-part.js';
import type { StreamWatch } from '../../../stream/stream-watch.js';
import type { ToolNames } from '../../../names/tool-names.js';
import { decodeUsage } from '../answer/usage.js';
import { keepalive } from '../errors/encode-error.js';
import { restoreNames } from './relay-answer.js';

/** How much of an event is looked at to learn what it is. */
const HEAD_CHARACTERS = 200;
const NAME = /^event: ?(\S+)/m;
const TYPE = /"type"\s*:\s*"([^"]+)"/;
const ENDS = new Set(['response.completed', 'response.incomplete']);
const FAILURES = new Set(['response.failed', 'error']);

/**
 * Watches the stream of an upstream that speaks this dialect. Only the events that end it, or name tools to be renamed, are parsed. An error
 * behind other events of the same bytes is thrown by the next `push` or by `end`, so that they are given first.
 */
export function watchStream(options: WatchOptions = {}): StreamWatch {
  return new ResponsesWatch(options.names);
}

class ResponsesWatch implements StreamWatch {
  private readonly cutter = new EventCutter();
  private readonly names: ToolNames | undefined;
  private failure: LlmError | undefined;
  private isWhole = false;
  begun = false;
  usage: Usage | undefined;

  constructor(names: ToolNames | undefined) {
    this.names = names;
  }

  /** Also behind an error: nothing that comes after it is waited for. */
  get whole(): boolean {
    return this.isWhole || this.failure !== undefined;
  }

  push(bytes: Uint8Array): Uint8Array {
    this.throwFailure();
    return this.give(this.cutter.push(bytes));
  }

  end(): Uint8Array {
    this.throwFailure();
    const last = this.give(this.cutter.end());
    this.throwFailure();
    if (!this.isWhole) throw new LlmError('stream_interrupted', 'The answer of the model broke off before its end.');
    return last;
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure;
  }

  private give(block: EventBlock): Uint8Array {
    const { bytes } = block;
    const given: Uint8Array[] = [];
    let isTouched = false;
    for (let from = 0, to: number; from < bytes.length; from = to) {
      to = endOfEvent(block, from);
      try {
        const instead = this.see(block, from, to);
        isTouched ||= instead !== undefined;
        given.push(instead === undefined ? bytes.subarray(from, to) : Buffer.from(instead));
      } catch (error) {
        if (given.length === 0 || !(error instanceof LlmError)) throw error;
        this.failure = error;
        return Buffer.concat(given);
      }
    }
    return isTouched ? Buffer.concat(given) : bytes;
  }

  /** Looks at one event; gives what goes on in its place, if something else does. */
  private see({ bytes, latin1 }: EventBlock, from: number, to: number): string | undefined {
    const head = latin1.slice(from, Math.min(to, from + HEAD_CHARACTERS));
    const type = NAME.exec(head)?.[1] ?? TYPE.exec(head)?.[1];
    if (type?.startsWith('response.')) this.begun = true;
    if (type !== undefined && !ENDS.has(type) && !FAILURES.has(type) && !this.names) return undefined;
    const text = bytes.toString('utf8', from, to);
    const { data } = readEvent(text);
    if (data === undefined) return text.startsWith(':') ? keepalive : undefined;
    const parsed = asObject(parseJson(data));
    this.judge(type ?? asText(parsed.type), parsed);
    const renamed = this.names && parsed.type !== undefined ? restoreNames(data, this.names) : data;
    return renamed === data ? undefined : `${type === undefined ? '' : `event: ${type}\n`}data: ${renamed}\n\n`;
  }

  private judge(type: string | undefined, data: Fields): void {
    if (type === undefined) return;
    this.begun = true;
    const response = asObject(data.response);
    if (FAILURES.has(type)) throw decodeError({ body: { error: data.error ?? response.error ?? data } });
    if (!ENDS.has(type)) return;
    this.isWhole = true;
    this.usage = decodeUsage(response.usage);
  }
}
