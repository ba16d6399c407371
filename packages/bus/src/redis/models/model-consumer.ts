import { BusError } from '../../bus-error.js';
import type { ClaimedStep, ConsumeOptions, StepPrompt, StepRequest, StoredRequest } from '../../model-queue.js';
import { sessionRef, type Sid } from '../../session-ref.js';
import type { BusLogger } from '../connection/bus-logger.js';
import { CLAIM_MS, RENEW_MS } from '../limits.js';
import type { RedisSubscriber } from '../connection/redis-subscriber.js';
import { GROUP, keyOf, toEntry, type Entry } from './entry.js';
import { LostRequests } from './lost-requests.js';
import { RunningStep, type Claim } from './running-step.js';
import { StreamReader } from './stream-reader.js';
import { blobNameOf } from '../blobs/blob-name.js';
import type { SessionScripts } from '../session/session-scripts.js';

/** Entries that are over leave the stream together, this often: one that stays by accident is found over, and left out, by whoever reads it next. */
const FORGET_MS = 20;

/** How often a request is tried whose prompt isn't there: it may come a moment after it. Then the store has lost it, and who asked is told. */
const PROMPT_TRIES = 3;

/** Prompts that are kept: some 20 KB each. */
const MAX_PROMPTS = 200;

type Serve = (step: ClaimedStep) => Promise<void>;

/** A request that is being served. */
interface Running {
  readonly entry: Entry;
  readonly step: RunningStep;
  readonly served: Promise<void>;
}

/** What a consumer is made of. */
export interface ConsumerParts {
  readonly scripts: SessionScripts;
  readonly subscriber: RedisSubscriber;
  readonly url: string;
  readonly logger: BusLogger;
}

/** Serves model requests of every shard, `concurrency` at a time, until it is closed. */
export class ModelConsumer {
  /** One for each stream: in a cluster they are in several slots, and a read that waits would hold up the others. */
  private readonly readers: readonly StreamReader[];
  private readonly prompts = new Map<string, StepPrompt>();
  private readonly running = new Map<string, Running>();
  /** Entries whose claim is under way. */
  private readonly claiming = new Set<string>();
  private readonly lost: LostRequests;
  private readonly renewals: NodeJS.Timeout;
  private readonly unhear: () => void;
  private readonly over: Entry[] = [];
  private forgetting: NodeJS.Timeout | undefined;
  private closing = false;

  constructor(
    private readonly parts: ConsumerParts,
    private readonly serve: Serve,
    private readonly options: ConsumeOptions,
  ) {
    const { logger, scripts, url } = parts;
    const { commands, keys } = scripts;
    this.lost = new LostRequests({
      ...{ commands, keys, logger, consumer: options.consumer },
      free: () => (this.closing ? 0 : this.free),
      begin: (entry) => this.begin(entry),
      forget: (entry) => this.forget(entry),
    });
    const renew = (): void => void this.renew().catch(() => undefined); // away: claims end, and others begin anew
    this.renewals = setInterval(renew, RENEW_MS);
    this.unhear = commands.onChange(renew);
    this.readers = keys.everyModels.map(
      (stream) =>
        new StreamReader({
          ...{ url, logger, commands, consumer: options.consumer, stream },
          room: () => Math.ceil(this.free / keys.everyModels.length), // all together a few more than there are places
          take: (raw) => this.begin(toEntry(stream, raw)).catch((error: unknown) => this.lost.miss(error)),
          onReady: () => void this.lost.resume(), // an answer to the connection before may not have come
        }),
    );
  }

  async close(): Promise<void> {
    this.closing = true;
    clearInterval(this.renewals);
    this.unhear();
    await Promise.all([...this.readers.map((reader) => reader.close()), this.lost.stop()]);
    await Promise.all([...this.running.values()].map((running) => this.letGo(running)));
    await this.forgetAll().catch(() => undefined); // away: others find them over
  }

  private get free(): number {
    return this.options.concurrency - this.running.size - this.claiming.size;
  }

  private tellRoom(): void {
    for (const reader of this.readers) reader.poke();
  }

  private async begin(entry: Entry): Promise<void> {
    const key = keyOf(entry);
    if (this.claiming.has(key) || this.running.has(key)) return;
    if (this.closing) return this.handBack(entry);
    this.claiming.add(key);
    try {
      await this.claim(entry);
    } finally {
      this.claiming.delete(key);
      this.tellRoom();
    }
  }

  private async claim(entry: Entry): Promise<void> {
    const { commands, keys } = this.parts.scripts;
    const { sid, stepId } = entry;
    const session = keys.session(sid);
    const from = this.options.historyFrom?.(sid) ?? 0;
    const [reply] = await commands.run('claim-step', [
      [
        ...(['claimStep', session.meta, session.step(stepId), session.history, this.options.consumer, entry.id] as const),
        ...[CLAIM_MS, this.parts.scripts.finishedStepMs, session.stop, stepId, from],
      ],
    ]);
    const [code, attempt, request, tenant, sub, sessionId, items] = reply as [number, number, string, string, string, string, string[]?];
    if (code === 0) this.forget(entry);
    if (code !== 1) return;
    const stored = JSON.parse(request) as StoredRequest | StepRequest;
    const whole = await this.withPrompt(sid, stored);
    if (whole === undefined && attempt < PROMPT_TRIES) throw new BusError(`claim-step: ${sid} has no prompt`);
    const claim: Claim = {
      ref: sessionRef({ tenant, sub }, sessionId),
      ...{ stepId, attempt, consumer: this.options.consumer },
      request: whole ?? { ...stored, system: '', tools: [] },
      history: items && { from, items },
    };
    const step = new RunningStep(claim, this.parts.scripts, this.parts.subscriber);
    if (whole === undefined) {
      await step.fail({ code: 'unavailable', message: 'The store lost what the model was to be asked.', retryable: true });
      return step.isStored ? this.forget(entry) : undefined;
    }
    this.running.set(keyOf(entry), { entry, step, served: this.run(entry, step) });
  }

  /** The request with the prompt that it names; the same object as long as it is known, for as many sessions as have it. `undefined`: it isn't there. */
  private async withPrompt(sid: Sid, stored: StoredRequest | StepRequest): Promise<StepRequest | undefined> {
    if (!('prompt' in stored)) return stored;
    const { prompt: hash, ...request } = stored;
    const known = this.prompts.get(hash) ?? (await this.readPrompt(sid, hash));
    if (known === undefined) return undefined;
    this.prompts.delete(hash);
    this.prompts.set(hash, known); // the last to be forgotten
    const [oldest] = this.prompts.keys();
    if (this.prompts.size > MAX_PROMPTS && oldest !== undefined) this.prompts.delete(oldest);
    return { ...request, ...known };
  }

  private async readPrompt(sid: Sid, hash: string): Promise<StepPrompt | undefined> {
    const { commands, keys } = this.parts.scripts;
    const [text, reply] = await commands.runEach('read-step-prompt', [
      ['get', keys.blobText(blobNameOf(hash).slice(1))],
      ['hmget', keys.session(sid).messages, 'prompt_hash', 'prompt'],
    ]);
    const [stored, written] = reply as [string | null, string | null]; // written out: by a release before
    const found = (text as string | null) ?? (stored === hash ? written : null);
    return found === null ? undefined : (JSON.parse(found) as StepPrompt);
  }

  private async run(entry: Entry, step: RunningStep): Promise<void> {
    let fault: unknown = 'it ended without an answer';
    try {
      await this.serve(step);
    } catch (error) {
      fault = error;
    }
    try {
      if (!step.isFinished && !step.signal.aborted) {
        this.parts.logger.warn({ event: 'model_queue.serve_failed', stepId: step.stepId, message: String(fault) });
        await step.fail({ code: 'internal', message: 'The model request failed in the proxy.', retryable: true });
      }
    } catch {
      // Away: the claim ends, and the next attempt finds the record as it is.
    }
    step.stopTimers();
    if (!this.closing) {
      this.running.delete(keyOf(entry));
      // Too late, or over before its end: the entry may stand for the next attempt, or for nothing.
      if (step.isStored) this.forget(entry);
      else await this.begin(entry).catch((error: unknown) => this.lost.miss(error));
    }
    this.tellRoom();
  }

  /** Takes an entry out of its stream, soon. */
  private forget(entry: Entry): void {
    this.over.push(entry);
    this.forgetting ??= setTimeout(() => void this.forgetAll().catch(() => undefined), FORGET_MS); // away: it is looked at again
  }

  private async forgetAll(): Promise<void> {
    clearTimeout(this.forgetting);
    this.forgetting = undefined;
    const over = this.over.splice(0);
    await this.parts.scripts.commands.runEach(
      'forget-steps',
      this.parts.scripts.keys.everyModels.flatMap((stream) => {
        const ids = over.filter((entry) => entry.stream === stream).map(({ id }) => id);
        return ids.length === 0 ? [] : [['xack', stream, GROUP, ...ids] as const, ['xdel', stream, ...ids] as const];
      }),
    );
  }

  /** A new entry for another consumer, then the old one goes. */
  private async handBack(entry: Entry): Promise<void> {
    const { keys, commands } = this.parts.scripts;
    await commands.run('announce', [['xadd', keys.models(entry.sid), '*', 'sid', entry.sid, 'step', entry.stepId]]);
    this.forget(entry);
  }

  private async letGo({ entry, step, served }: Running): Promise<void> {
    step.abort('the consumer closes');
    await served;
    try {
      if (step.isStored) return this.forget(entry);
      await step.release();
      await this.handBack(entry);
    } catch {
      // Away: the claim ends by itself.
    }
  }

  /** All claims, then the entries that stand for them: a stream that is gone keeps nobody from hearing that a claim is over. */
  private async renew(): Promise<void> {
    const running = [...this.running.values()];
    if (running.length === 0) return;
    const { commands } = this.parts.scripts;
    const entries = running.map(({ entry: { stream, id } }) => ['xclaim', stream, GROUP, this.options.consumer, 0, id, 'JUSTID'] as const);
    const [replies] = await Promise.all([
      commands.runEach(
        'renew-steps',
        running.map(({ step }) => step.renewal()),
      ),
      commands.runEach('renew-entries', entries).catch(() => undefined), // they are read again where they are lost
    ]);
    running.forEach(({ step }, index) => {
      if (replies[index] === 0 && !step.isFinished) step.abort('the turn or the attempt is over');
    });
  }
}
