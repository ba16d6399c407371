import type { ChaosEvent, ChaosFrame, EventOf } from '../recording/chaos-event.js';
import type { Canary } from '../workload/script/owners.js';

/** An event, and its place in the recording. */
export type Placed<E extends ChaosEvent = ChaosEvent> = E & { readonly index: number };

/** A frame with all that is known of it. */
export interface ToldFrame {
  readonly index: number;
  readonly at: number;
  readonly observer: string;
  readonly connection: number;
  readonly direction: 'in' | 'out';
  readonly frame: ChaosFrame;
  readonly type: string;
  readonly owner: string;
  /** Owner and name: a name alone may be two sessions. */
  readonly session: string;
  /** The life of the log that the observer reads then; absent before its first welcome. */
  readonly epoch?: string;
}

/** A stretch in which something was broken. */
export interface FaultSpan {
  readonly name: string;
  readonly target: string;
  readonly begin: number;
  readonly end: number;
}

/** A run, read once for all promises. */
export interface Story {
  readonly events: readonly ChaosEvent[];
  readonly frames: readonly ToldFrame[];
  /** Those that servers sent. */
  readonly told: readonly ToldFrame[];
  /** Those that clients sent. */
  readonly said: readonly ToldFrame[];
  readonly sessions: ReadonlySet<string>;
  readonly faults: readonly FaultSpan[];
  readonly canaries: readonly Canary[];
  /** When the workload was over; Infinity where it never was. */
  readonly settledAt: number;
  of<K extends ChaosEvent['kind']>(kind: K): readonly Placed<EventOf<K>>[];
  observer(name: string): EventOf<'observer'> | undefined;
  /** The end of the client process that an observer was a part of, after an event. */
  exitOf(observer: string, after: number): Placed<EventOf<'process'>> | undefined;
  /** Owner and name of an observer's session. */
  sessionOf(observer: string): string;
  /** Whether the store may have lost what it acknowledged at this time, or had then. */
  mayBeLost(at: number): boolean;
  /** Whether the store may have lost anything at all. */
  readonly lostSomething: boolean;
  /** For a while the store did not promise that it keeps every write. */
  readonly wasUnsure: boolean;
  /** The store did, or did not promise for a while that it keeps every write: a restart after that counts as a loss. */
  readonly mayDoubtStore: boolean;
  /** Whether the end of the store's file was lost a moment ago, which it doesn't know before somebody misses something. */
  isTorn(at: number): boolean;
  /**
   * Whether nothing was broken in a stretch of time, but for faults whose names match `beside`: they are not in the way of what is judged. A
   * store that lost something was broken, also where no fault was meant for it: on a late machine it may fail over by itself.
   */
  isCalm(from: number, to: number, beside?: RegExp): boolean;
  /** The life that the log of a session had at the end, as who audits it was told. */
  lastEpoch(session: string): string | undefined;
  /** Whether a frame came in the life that its observer believed in: a later frame of the log on the same connection has the same. */
  isSureOfEpoch(told: ToldFrame): boolean;
  /** How late the machine was at its worst in a stretch of time; 0 where it kept up. */
  worstDelay(from: number, to: number): number;
  /** For how much of a stretch of time something may have waited in a process of the run that had no processor. */
  queuedMs(from: number, to: number): number;
}

/** Puts together what belongs together. */
export function tellStory(events: readonly ChaosEvent[], canaries: readonly Canary[]): Story {
  const byKind = new Map<string, Placed[]>();
  for (const [index, event] of events.entries()) {
    const list = byKind.get(event.kind);
    if (list === undefined) byKind.set(event.kind, [{ ...event, index }]);
    else list.push({ ...event, index });
  }
  const of = <K extends ChaosEvent['kind']>(kind: K): readonly Placed<EventOf<K>>[] =>
    (byKind.get(kind) ?? []) as unknown as readonly Placed<EventOf<K>>[];
  const observers = new Map(of('observer').map((event) => [event.observer, event]));
  const sessionOf = (observer: string): string => {
    const { owner = '?', session = observer } = observers.get(observer) ?? {};
    return `${owner}/${session}`;
  };
  const frames = tellFrames(of('frame'), sessionOf);
  const faults = spansOf(of('fault'));
  const losses = of('store-lost');
  const wasUnsure = faults.some(({ name }) => UNSURE.has(name));
  const audits = frames.filter(({ type, observer }) => type === 'welcome' && observers.get(observer)?.role === 'auditor');
  const lastEpochs = new Map(audits.map(({ session, epoch }) => [session, epoch]));
  return {
    ...{ events, frames, faults, canaries, of, sessionOf, wasUnsure },
    told: frames.filter(({ direction }) => direction === 'in'),
    said: frames.filter(({ direction }) => direction === 'out'),
    sessions: new Set(frames.map(({ session }) => session)),
    settledAt: of('phase').find(({ what }) => what === 'settled')?.at ?? Infinity,
    observer: (name) => observers.get(name),
    exitOf: (observer, after) =>
      of('process').find(({ what, name, index }) => what === 'exited' && index > after && observer.startsWith(`${name}/`)),
    mayBeLost: (at) => losses.some((loss) => at >= loss.since && at <= loss.at + LOSS_SLACK_MS),
    lostSomething: losses.length > 0,
    mayDoubtStore: losses.length > 0 || wasUnsure,
    isTorn: (at) => faults.some(({ name, begin }) => name === 'truncate-aof' && at >= begin && at <= begin + TORN_MS),
    isCalm: (from, to, beside) =>
      faults.every(({ name, begin, end }) => end < from || begin > to || beside?.test(name) === true) &&
      losses.every(({ at }) => at < from || at > to + FAILOVER_MS),
    lastEpoch: (session) => lastEpochs.get(session),
    isSureOfEpoch: ({ observer, connection, index, epoch }) => {
      const next = frames.find(
        (frame) =>
          frame.index > index &&
          frame.observer === observer &&
          frame.connection === connection &&
          frame.direction === 'in' &&
          (frame.type === 'welcome' || Number.isInteger(frame.frame['seq'])),
      );
      return epoch !== undefined && next?.epoch === epoch;
    },
    // what is late is recorded when it comes
    worstDelay: (from, to) => Math.max(0, ...of('late').flatMap(({ at, byMs }) => (at >= from && at - byMs <= to ? [byMs] : []))),
    queuedMs: (from, to) => of('queued').reduce((sum, { at, byMs }) => (at >= from && at <= to ? sum + byMs : sum), 0),
  };
}

/** Faults while which a store answers before a write is on its disk. */
const UNSURE: ReadonlySet<string> = new Set(['relax-fsync', 'fill-disk-everysec']);

/** A torn file is missed by whoever connects anew and remembers more, or by the next look of one who does. */
const TORN_MS = 5_000;

/** Between the moment when a master no longer answers and the one when another is seen to write. */
const FAILOVER_MS = 3_000;

/** An answer may still be on its way when the store has lost what it says. */
const LOSS_SLACK_MS = 2_000;

function tellFrames(events: readonly Placed<EventOf<'frame'>>[], sessionOf: (observer: string) => string): ToldFrame[] {
  const epochs = new Map<string, string>();
  return events.map(({ index, at, observer, connection, direction, frame }) => {
    const reader = `${observer}#${String(connection)}`;
    if (direction === 'in' && frame.type === 'welcome') epochs.set(reader, String(frame['epoch']));
    const session = sessionOf(observer);
    const owner = session.slice(0, session.indexOf('/'));
    return { index, at, observer, connection, direction, frame, type: frame.type, owner, session, epoch: epochs.get(reader) };
  });
}

function spansOf(events: readonly Placed<EventOf<'fault'>>[]): FaultSpan[] {
  return events
    .filter(({ phase }) => phase === 'begin')
    .map(({ id, name, target, at }) => ({
      ...{ name, target, begin: at },
      end: events.find((event) => event.id === id && event.phase === 'end')?.at ?? Infinity,
    }));
}
