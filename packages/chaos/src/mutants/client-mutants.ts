import { plantedIn } from './mutant.js';

/** Faults of the client that people run. */
export const CLIENT_MUTANTS = plantedIn('client', [
  {
    name: 'effect-before-journal',
    promise: 'R2',
    fault: 'nothing is written down before an effect',
    file: 'client/dist/calls/run-call.js',
    find: 'await journal.begin(run);',
    replace: '',
    shownBy: { faults: ['kill-client'], on: ['received', 'started', 'output', 'result', 'result-ack'] },
  },
  {
    name: 'journal-not-read',
    promise: 'R2',
    fault: 'a call that comes again is run again',
    file: 'client/dist/calls/clear-call.js',
    find: "entry !== undefined && entry.state !== 'received'",
    replace: 'false',
    shownBy: { faults: ['kill-client', 'cut-line', 'lose-line'], on: ['received', 'started', 'output', 'result', 'result-ack'] },
  },
  {
    name: 'result-not-repeated',
    promise: 'R3',
    fault: 'a result whose acknowledgement was lost is not sent again',
    file: 'client/dist/client.js',
    find: 'if (!wasLive) this.asks.resend();',
    replace: '',
  },
  {
    name: 'cancel-not-obeyed',
    promise: 'cancel',
    fault: 'a tool that is told to stop runs on',
    file: 'client/dist/calls/run-call.js',
    find: 'execute(run, ports, stop.signal, output)',
    replace: 'execute(run, ports, new AbortController().signal, output)',
    shownBy: { faults: [] },
  },
  {
    name: 'edit-not-run',
    promise: 'H2',
    fault: 'the arguments that were asked run, not those that were edited',
    file: 'client/dist/calls/dispatch-call.js',
    find: 'frame.args === undefined ? task.shown : checkArguments(frame.args), frame.args_sha256',
    replace: 'task.shown, task.shown?.sha256 ?? ""',
  },
]);
