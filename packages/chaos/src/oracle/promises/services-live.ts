import type { Promised } from '../violation.js';

const SERVICES = /^(gateway|agent-runtime|llm-proxy|client)/;

export const servicesLive: Promised = {
  name: 'services-live',
  says: 'No service and no client ends by itself, whatever happens around it.',
  *judge(story) {
    for (const { name, what, code = null, signal = null, at, index } of story.of('process'))
      if (what === 'exited' && SERVICES.test(name) && signal === null && code !== null && code !== 0)
        yield { text: `${name} ended by itself with ${String(code)}`, at, events: [index] };
  },
};
