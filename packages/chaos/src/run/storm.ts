import { faultByName } from '../faults/all-faults.js';
import type { Done, FaultScene } from '../faults/fault.js';
import type { Moment, Plan, PlannedFault } from '../plan/plan.js';
import type { Recorder } from '../recording/recorder.js';
import { inTime } from '../in-time.js';
import { untilWhole } from '../redis/agreement.js';
import { momentsOf, thingOf } from './moment-of.js';

/** A fault whose moment doesn't come begins all the same after this time, and so much later for each that it lets pass. */
const [FALLBACK_MS, PASSED_MS] = [3_500, 400];

/** How long it may take to do a fault, or to take it back: a service that is started is ready when its store is, and that may be never. */
const ACT_MS = 30_000;

/** Lets the faults of a plan happen, each at its moment, and resolves when the last one is healed. */
export async function storm(plan: Plan, scene: FaultScene, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const seen = new Map<Moment, number>();
  const waiting = new Set<{ readonly fault: PlannedFault; readonly begin: () => void }>();
  const things = new Set<string>();
  const stopListening = recorder.listen((event) => {
    const thing = thingOf(event);
    for (const moment of momentsOf(event)) {
      if (thing !== '' && things.has(`${moment} ${thing}`)) continue; // another observer saw it, or it was said again
      things.add(`${moment} ${thing}`);
      const times = (seen.get(moment) ?? 0) + 1;
      seen.set(moment, times);
      for (const entry of [...waiting]) {
        const { on, nth } = entry.fault.trigger;
        if (on !== moment || times < nth) continue;
        waiting.delete(entry);
        entry.begin();
      }
    }
  });
  recorder.record({ kind: 'phase', what: 'storm' });
  try {
    await Promise.all(
      plan.faults.map(async (fault) => {
        const { trigger } = fault;
        if (trigger.on !== 'begin') {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, FALLBACK_MS + PASSED_MS * (trigger.nth - 1));
            waiting.add({ fault, begin: () => (clearTimeout(timer), resolve()) });
          });
        }
        if (trigger.delayMs > 0) await pause(trigger.delayMs, signal);
        await happen(fault, scene, recorder, signal);
      }),
    );
  } finally {
    stopListening();
  }
  if (!(await untilWhole(scene.system.store, signal)) && !signal.aborted)
    recorder.record({ kind: 'note', text: 'The servers of the store do not agree on who writes.' });
  recorder.record({ kind: 'phase', what: 'healed' });
}

async function happen(planned: PlannedFault, scene: FaultScene, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const { id, name, target, forMs, amount } = planned;
  const fault = faultByName.get(name);
  if (fault === undefined) throw new Error(`There is no fault named ${name}.`);
  let done: Done | undefined;
  // What is recorded comes first, so that nothing which follows from it stands before it.
  recorder.record({ kind: 'fault', id, name, target: '', phase: 'begin' });
  const beginning = (async () => fault.begin(scene, { target, forMs, amount }))();
  try {
    done = await inTime(beginning, ACT_MS, signal);
  } catch (error) {
    recorder.record({ kind: 'note', text: `${name} could not be done: ${String(error)}` }); // what it is done to is down by another fault
    void beginning.then((late) => late?.heal?.()).catch(() => undefined);
  }
  if (forMs > 0) await pause(forMs, signal);
  try {
    await inTime(Promise.resolve(done?.heal?.()), ACT_MS, signal);
  } catch (error) {
    recorder.record({ kind: 'note', text: `${name} could not be healed: ${String(error)}` });
  }
  recorder.record({ kind: 'fault', id, name, target: done?.target ?? 'nobody', phase: 'end', detail: done?.detail });
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
