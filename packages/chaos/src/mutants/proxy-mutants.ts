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
    name: 'upstream-not-hung-up',
    promise: 'L2',
    fault: 'a request that was given up is not hung up on',
    find: 'if (this.controller?.aborted === false) this.controller.abort(failure);',
    replace: '',
    shownBy: { faults: [] },
  },
]);
