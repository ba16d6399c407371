import { fileURLToPath } from 'node:url';
import type { ServiceName } from '../../core/stack/plan-stack.js';

const root = new URL('../../../../../', import.meta.url); // …/apps/cli/{src,dist}/edge/stack/ → the repository
const at = (path: string) => fileURLToPath(new URL(path, root));

/** Where this installation's programs are. */
export const installation: {
  readonly root: string;
  readonly cli: string;
  readonly mains: Readonly<Record<ServiceName, string>>;
} = {
  root: at('./'),
  cli: at('apps/cli/dist/bundle/main.js'),
  mains: {
    gateway: at('apps/gateway/dist/main.js'),
    'agent-runtime': at('apps/agent-runtime/dist/main.js'),
    'llm-proxy': at('apps/llm-proxy/dist/main.js'),
  },
};
