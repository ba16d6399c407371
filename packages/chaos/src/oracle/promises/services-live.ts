import type { Promised } from '../violation.js';

const SERVICE = /^(gateway|agent-runtime|llm-proxy)/;
const CLIENT = /^client/;
/** Signals that a process gets for a fault of its own. */
const CRASHES: ReadonlySet<string | null> = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE']);

export const servicesLive: Promised = {
  name: 'services-live',
  says: 'No service and no client ends by itself, whatever happens around it, and one that is told to stop does so in time.',
  *judge(story) {
    for (const { name, what, code = null, signal = null, asked, at, index } of story.of('process')) {
      if (what !== 'exited' || asked === 'port-taken') continue;
      const how = signal ?? String(code);
      const failed = (code !== null && code !== 0) || CRASHES.has(signal);
      if (SERVICE.test(name) ? asked === undefined || failed : CLIENT.test(name) && failed)
        yield { text: `${name} ended by itself with ${how}`, at, events: [index] };
      else if (SERVICE.test(name) && asked === 'late')
        yield { text: `${name} did not end in time when it was told to`, at, events: [index] };
    }
  },
};
