import type { Owner } from '@codelab/bus';
import { ApiError, DIALECTS, editMembers, estimateTokens, type DecodedRequest, type Dialect, type DialectName } from '@codelab/llm';
import type { Estimate } from '../accounting/accounting.js';
import { costOf } from '../models/cost-of.js';
import type { ModelCatalog, Target } from '../models/model-catalog.js';
import type { AnswerItems } from './answer-items.js';
import type { Exchange } from './route.js';

/** The answer that is reckoned with where neither the caller nor the models file limits it. */
const USUAL_OUTPUT_TOKENS = 4_096;

/** Characters of JSON to a token, where nothing better is known. */
const CHARACTERS_PER_TOKEN = 4;

export interface AskedPorts {
  readonly catalog: ModelCatalog;
  readonly items: AnswerItems;
  readonly lenient: boolean;
}

/** A model request as a caller wrote it, judged, and where it may go. */
export class AskedModel {
  readonly codec: Dialect;
  readonly raw: string;
  readonly stream: boolean;
  readonly targets: readonly [Target, ...Target[]];
  private decoded: DecodedRequest | undefined;
  /** The request holds what no upstream of its dialect would take, and is let in all the same: it goes by the canonical form. */
  private readonly isRepaired: boolean;

  private constructor(
    readonly dialect: DialectName,
    /** With the default model where none was named. */
    readonly body: Readonly<Record<string, unknown>>,
    private readonly owner: Owner,
    private readonly ports: AskedPorts,
    raw: string,
  ) {
    this.codec = DIALECTS[dialect];
    this.raw = raw;
    this.stream = body.stream === true;
    this.targets = ports.catalog.resolve(this.name);
    this.isRepaired = ports.lenient && !this.isWellFormed();
    if (this.targets.some((target) => this.relays(target))) this.codec.checkRequest(body, { lenient: ports.lenient });
    else this.decode();
  }

  /** Throws `ApiError`: `invalid_request`, and what `resolve` of the catalog throws. */
  static read(exchange: Exchange, dialect: DialectName, ports: AskedPorts): AskedModel {
    const { body, raw } = readMended(exchange, dialect);
    const { model } = body;
    if (model !== undefined && model !== null && typeof model !== 'string') {
      throw new ApiError('invalid_request', 'model: must be the name of a model', { param: 'model' });
    }
    const { owner } = exchange.caller;
    if (typeof model === 'string' && model.trim() !== '') return new AskedModel(dialect, body, owner, ports, raw);
    const { defaultModel } = ports.catalog;
    const named = editMembers(raw, { model: JSON.stringify(defaultModel) }); // as if the caller had written it: relays edit what is there
    return new AskedModel(dialect, { ...body, model: defaultModel }, owner, ports, named);
  }

  /** The model as the caller names it, or the default. */
  get name(): string {
    return this.body.model as string;
  }

  /** Whether `target` gets the caller's own bytes. */
  relays({ upstream }: Target): boolean {
    return !this.isRepaired && upstream.dialects.has(this.dialect);
  }

  /** The request in canonical form. Throws `ApiError` where no other dialect can say it. */
  decode(): DecodedRequest {
    const { owner, body, ports } = this;
    if (this.decoded) return this.decoded;
    return (this.decoded = this.codec.decodeRequest(body, this.raw, {
      lenient: ports.lenient,
      items: { get: (id) => ports.items.find(owner, id) },
      keep: (id, item) => ports.items.keep(owner, id, item),
    }));
  }

  /** What it will use at most. Counting a large request isn't free. */
  estimate(): Estimate {
    const [{ entry }] = this.targets;
    const inputTokens = this.estimateInput();
    const outputTokens = this.limit() ?? entry.max_output_tokens ?? USUAL_OUTPUT_TOKENS;
    const costUsd = costOf({ inputTokens, outputTokens }, entry.price);
    return { inputTokens, outputTokens, costUsd };
  }

  private estimateInput(): number {
    try {
      return estimateTokens(this.decode().request);
    } catch {
      return Math.ceil(this.raw.length / CHARACTERS_PER_TOKEN); // it is relayed with things that only its own dialect has
    }
  }

  private limit(): number | undefined {
    return this.codec.limits.map((name) => this.body[name]).find((limit) => typeof limit === 'number');
  }

  private isWellFormed(): boolean {
    try {
      this.codec.checkRequest(this.body, {});
      return true;
    } catch {
      return false; // judged again, leniently
    }
  }
}

/** The body, and its text, with the arguments of earlier calls in the dialect's form. */
function readMended(exchange: Exchange, dialect: DialectName): { readonly body: Readonly<Record<string, unknown>>; readonly raw: string } {
  const [body, came] = [readObject(exchange), exchange.bodyText()];
  const raw = DIALECTS[dialect].mendArguments(came, body);
  return { body: raw === came ? body : (JSON.parse(raw) as typeof body), raw };
}

/** The body as an object. Throws `ApiError`. */
export function readObject(exchange: Exchange): Readonly<Record<string, unknown>> {
  const body = exchange.json();
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Readonly<Record<string, unknown>>;
  throw new ApiError('invalid_request', 'the body must be a JSON object');
}
