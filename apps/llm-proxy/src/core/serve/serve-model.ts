import { randomUUID } from 'node:crypto';
import { type DialectName, type Usage } from '@codelab/llm';
import type { Accounting, Payer } from '../accounting/accounting.js';
import { askChain, type ChainPorts } from '../chain/ask-chain.js';
import { withCost } from '../models/cost-of.js';
import type { Target } from '../models/model-catalog.js';
import { answerParts } from './answer-parts.js';
import { AskedModel, readObject, type AskedPorts } from './asked-model.js';
import type { ToolRuns } from './tool-runs.js';
import { failureWord } from './failure.js';
import { openAnswer, type OpenAnswer } from './open-answer.js';
import { printable } from './printable.js';
import type { Exchange, SseWriter } from './route.js';

export interface ServePorts extends AskedPorts {
  readonly accounting: Accounting;
  readonly chain: ChainPorts;
  /** What requests may ask for beyond an answer. */
  readonly toolRuns?: ToolRuns;
}

/** What came of an answer, for whoever pays: counted by the upstream, or to be estimated from its length. */
interface Came {
  readonly usage?: Usage | undefined;
  readonly characters: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** Answers a request for a model in the dialect of its endpoint. Throws like the handler of a route. */
export async function serveModel(exchange: Exchange, dialect: DialectName, ports: ServePorts): Promise<void> {
  exchange.facts.dialect = dialect;
  const body = readObject(exchange);
  if (ports.toolRuns?.handles(body)) return ports.toolRuns.serve(exchange, body);
  const asked = AskedModel.read(exchange, dialect, ports);
  const [first] = asked.targets;
  Object.assign(exchange.facts, { upstream: first.upstream.name, model: first.model });
  const admission = await ports.accounting.admit(payerOf(exchange, body), {
    model: asked.name,
    leadsTo: first.model,
    estimate: () => asked.estimate(),
  });
  const serving = new Serving(asked, exchange, ports.chain);
  try {
    await serving.run();
  } finally {
    admission.settle(serving.used());
  }
}

/** Less than the time after which a keepalive begins a stream, and with it a status of 200. */
const STREAM_PATIENCE_MS = 12_000;

/** One request on its way through the chain of its targets and back to the caller. */
class Serving {
  private target: Target | undefined;
  private came: Came | undefined;
  private headers: Readonly<Record<string, string>> = {};

  constructor(
    private readonly asked: AskedModel,
    private readonly exchange: Exchange,
    private readonly chain: ChainPorts,
  ) {}

  async run(): Promise<void> {
    const { asked, exchange, chain } = this;
    const { facts } = exchange;
    const writer = asked.stream ? exchange.stream({ keepalive: asked.codec.keepalive, headers: () => this.ownHeaders() }) : undefined;
    const startedMs = chain.now();
    const options = {
      ...chain,
      onAttempt: exchange.trace.onAttempt,
      ...(asked.stream && { patienceMs: STREAM_PATIENCE_MS }),
      get signal() {
        return exchange.signal; // made only where a failure asks for it
      },
    };
    try {
      const attempt = (target: Target): Promise<OpenAnswer> => {
        Object.assign(facts, {
          upstream: target.upstream.name,
          model: target.model,
          attempts: (facts.attempts ?? 0) + 1,
          notes: undefined,
        });
        return openAnswer(asked, target, exchange);
      };
      const { target, value } = await askChain(asked.targets, attempt, options);
      this.target = target;
      facts.upstreamFirstByteMs = chain.now() - startedMs;
      await this.answer(value, writer);
    } finally {
      facts.upstreamMs = chain.now() - startedMs;
    }
  }

  /** What the request used, once it is answered; `undefined` where nothing came. */
  used(): { readonly model: string; readonly usage: Usage; readonly estimated?: boolean } | undefined {
    const came = this.came;
    if (!came || !this.target) return undefined;
    const { model, entry } = this.target;
    const estimated = came.usage === undefined;
    const usage = withCost(came.usage ?? this.estimate(came.characters), entry.price);
    Object.assign(this.exchange.facts, { usage, ...(estimated && { estimated }) });
    return { model, usage, ...(estimated && { estimated }) };
  }

  private async answer(open: OpenAnswer, writer: SseWriter | undefined): Promise<void> {
    switch (open.kind) {
      case 'whole':
        this.came = { usage: open.usage, characters: open.content.length };
        this.headers = open.headers;
        return this.exchange.reply(200, open.content, this.ownHeaders());
      case 'relay':
        this.headers = open.headers;
        return this.relay(open.relay, writer!);
      case 'parts':
        return this.translate(open.parts, writer);
    }
  }

  private async relay(relay: Extract<OpenAnswer, { kind: 'relay' }>['relay'], writer: SseWriter): Promise<void> {
    try {
      await relay.pipe(writer);
      writer.end();
    } catch (error) {
      this.exchange.facts.error = failureWord(error);
      writer.fail(error);
    } finally {
      this.came = { usage: relay.watch.usage, characters: relay.bytes / this.asked.codec.bytesPerCharacter };
    }
  }

  private async translate(parts: Extract<OpenAnswer, { kind: 'parts' }>['parts'], writer: SseWriter | undefined): Promise<void> {
    const { asked, exchange } = this;
    const { includeUsage, echo } = asked.decode();
    const meta = {
      ...{ id: `${asked.codec.answerId}${randomUUID().replaceAll('-', '')}`, model: asked.name },
      ...{ created: Math.floor(Date.now() / 1000), includeUsage, echo },
    };
    const how = { dialect: asked.dialect, stream: asked.stream, meta, headers: () => this.ownHeaders(), writer };
    const end = await answerParts(exchange, parts, how);
    this.came = end;
    if (end.unknownReason !== undefined) {
      exchange.facts.notes = [...(exchange.facts.notes ?? []), `the upstream stopped for a reason that is not known: ${end.unknownReason}`];
    }
    if (end.failure !== undefined) exchange.facts.error = failureWord(end.failure);
  }

  private estimate(characters: number): Usage {
    const { inputTokens } = this.asked.estimate();
    return { inputTokens, outputTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN) };
  }

  private ownHeaders(): Record<string, string> {
    const { attempts = 1, notes } = this.exchange.facts;
    const target = this.target;
    return {
      ...this.headers,
      ...(target && { 'x-codelab-model': printable(target.model), 'x-codelab-upstream': printable(target.upstream.name) }),
      ...(notes && { 'x-codelab-notes': printable(notes.join('; ')) }),
      ...(attempts > 1 && { 'x-codelab-attempts': String(attempts) }),
    };
  }
}

function payerOf({ caller }: Exchange, { session_id: sessionId }: Readonly<Record<string, unknown>>): Payer {
  return { owner: caller.owner, ...(typeof sessionId === 'string' && sessionId !== '' && { sessionId }) };
}
