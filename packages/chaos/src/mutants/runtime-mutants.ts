import { plantedIn } from './mutant.js';

/** Faults of the runtime. */
export const RUNTIME_MUTANTS = plantedIn('runtime', [
  {
    name: 'turn-ends-twice',
    promise: 'R3',
    fault: 'the end of a cancelled turn is said twice',
    find: 'tellHandedBack(builder);\n',
    replace:
      'tellHandedBack(builder);\n\tif (end.status === "cancelled") builder.say({ type: "turn_ended", turn_id: turn.turnId, message_ids: [...turn.messageIds], model: shownModel(turn), status: "cancelled", usage: { input_tokens: 0, output_tokens: 0 } });\n',
  },
  {
    name: 'cancel-ignored',
    promise: 'cancel',
    fault: 'a cancel is read and nothing follows',
    find: 'builder.change({ cancelledAtMs: nowMs });',
    replace: 'return;',
  },
  {
    name: 'doubt-believed',
    promise: 'R1',
    fault: 'a commit whose fate is unknown is taken for done',
    find: 'if (meta.state === advance.effects?.state) return this.adopt(advance, true);',
    replace: 'return this.adopt(advance);',
    shownBy: {
      faults: ['cut-store-line', 'halve-store-line', 'lose-store-line', 'kill-redis'],
      on: ['message', 'text', 'result', 'result-ack', 'decision', 'resolved'],
    },
  },
  {
    name: 'edit-not-used',
    promise: 'H2',
    fault: 'the model is told of the arguments that it asked for, not of those that ran',
    find: 'if (letsRun(decision.outcome)) release(builder, call, decision);',
    replace: 'if (letsRun(decision.outcome)) release(builder, call, { ...decision, args: undefined, argsSha256: call.argsSha256 });',
  },
  {
    name: 'rejection-untold',
    promise: 'H3',
    fault: 'the model is told that a rejected call may have run',
    find: 'return deniedByUser(words);',
    replace: 'return standardResult("OUTCOME_UNKNOWN");',
  },
  {
    name: 'nothing-asked',
    promise: 'H1',
    fault: 'calls that must be asked about run at once',
    find: 'if (isAllowedByMode(call, session)) return { kind: "allow" };',
    replace: 'return { kind: "allow" };',
  },
  {
    name: 'nobody-sweeps',
    promise: 'R4',
    fault: 'sessions that nobody looks after are found by nobody',
    find: 'await Promise.all(sids.map((sid) => sessions.open(sid)));',
    replace: '',
  },
]);
