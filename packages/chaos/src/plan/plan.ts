import type { StoreKind } from '../redis/store.js';

/** When a fault begins: at the nth time that this is seen since the storm began, and so much later. */
export interface Trigger {
  readonly on: Moment;
  readonly nth: number;
  readonly delayMs: number;
}

/**
 * What a run can see of a turn: `begin` is the storm's own. `approval`: a call waits for a human; `decision`: its answer is on the wire;
 * `started`: the executor is about to do it; `result`: its answer is on the wire; `model`: the upstream got a request; `text`: a piece of
 * an answer arrived; `child` and `child-end`: a child session begins, and its call is over; `preview`: an executor shows what a call would do; `output`: a tool has
 * written; `queue`: what waits is another; `executor`: another client executes; `welcome`: somebody is shown where the session is.
 */
export const MOMENTS = [
  ...(['begin', 'message', 'accepted', 'turn', 'model', 'text', 'model-end', 'call', 'approval', 'decision', 'resolved'] as const),
  ...(['received', 'started', 'result', 'result-ack', 'child', 'cancel', 'end', 'connect', 'fault'] as const),
  ...(['child-end', 'preview', 'output', 'queue', 'executor', 'welcome'] as const),
] as const;
export type Moment = (typeof MOMENTS)[number];

/** One fault of a schedule. */
export interface PlannedFault {
  /** From 1, in the order in which they were drawn: `--faults` names them. */
  readonly id: number;
  /** A name of the table in faults/. */
  readonly name: string;
  /** Whom it is done to, from 0; taken modulo how many there are. */
  readonly target: number;
  readonly trigger: Trigger;
  /** How long it lasts before it is healed. */
  readonly forMs: number;
  /** How much of it: what it means stands with each fault. */
  readonly amount: number;
}

/** What one seed is: everything that a run leaves to chance. */
export interface Plan {
  readonly seed: number;
  readonly store: StoreKind;
  readonly faults: readonly PlannedFault[];
}

/** A fault in words, for people. */
export function describeFault({ id, name, target, trigger, forMs, amount }: PlannedFault): string {
  const when =
    trigger.on === 'begin' ? `${String(trigger.delayMs)} ms in` : `at ${trigger.on} ${String(trigger.nth)} + ${String(trigger.delayMs)} ms`;
  return `${String(id)}. ${name} (${String(target)}) ${when}, for ${String(forMs)} ms, ${String(amount)}`;
}

/** The command that runs a plan again; with its faults, where some were left out, and with the other installation, where the run had one. */
export function repeatCommand(plan: Plan, all?: Plan, otherRoot?: string): string {
  const left = plan.faults.map(({ id }) => id).join(',');
  const isPart = all !== undefined && plan.faults.length < all.faults.length;
  const words = [
    ...['codelab', 'chaos', '--seed', String(plan.seed)],
    ...(isPart ? ['--faults', left === '' ? 'none' : left] : []),
    ...(otherRoot === undefined ? [] : ['--other', otherRoot]),
  ];
  return words.join(' ');
}
