import { plantedIn } from './mutant.js';

/** Faults of the proxy. */
export const PROXY_MUTANTS = plantedIn('proxy', [
  {
    name: 'orphans-sent',
    promise: 'R5',
    fault: 'a call without a result, and a result without its call, go to the model',
    find: 'closeOrphans(rendered.request, rendered.growth)',
    replace: '({ ...rendered.request, messages: rendered.request.messages.slice(0, -1) })',
  },
  {
    name: 'cancel-not-heard',
    promise: 'L2',
    fault: 'a cancelled turn goes on asking its model',
    find: 'if (what === "cancel" && subject === this.request.turnId) this.abort("the turn was cancelled");',
    replace: '',
    shownBy: { faults: [] },
  },
  {
    name: 'answer-not-offered-again',
    promise: 'R3',
    fault: 'an answer is forgotten where it could not be stored at once',
    find: 'if (this.signal.aborted || Date.now() > giveUpAt) throw error;',
    replace: 'return 1;',
    shownBy: { faults: ['kill-redis', 'cut-store-line', 'lose-store-line', 'halve-store-line', 'refuse-store-line'] },
  },
  {
    name: 'claims-not-followed',
    promise: 'R4',
    fault: 'requests of a proxy that died are taken by nobody',
    find: 'if (raw[1] === null) return this.parts.forget(entry);',
    replace: 'return;',
  },
]);
