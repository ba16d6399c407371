import { expect, test } from 'vitest';
import { categorise, modulesOf } from './categorise.js';

const BUNDLE = ['// ../../node_modules/.pnpm/ioredis@6/node_modules/ioredis/a.js', 'send', '// ../../packages/bus/dist/b.js', 'own'].join(
  '\n',
);
const frame = (functionName: string, url: string, lineNumber = 0): { functionName: string; url: string; lineNumber: number } => ({
  ...{ functionName, url, lineNumber },
});

test('time goes to the module of the line, to a named native function, or to the caller; idle time to nobody', () => {
  const nodes = [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 3, 6, 7] },
    { id: 2, callFrame: frame('send', '/apps/gateway/dist/service.cjs', 1), children: [4] },
    { id: 3, callFrame: frame('own', '/apps/gateway/dist/service.cjs', 3), children: [5] },
    { id: 4, callFrame: frame('writev', '') },
    { id: 5, callFrame: frame('jsonStringify', 'file:///bench/profile/record.cjs') },
    { id: 6, callFrame: frame('(idle)', '') },
    { id: 7, callFrame: frame('nextTick', 'node:internal/process/task_queues') },
  ];
  const profile = { nodes, samples: [2, 4, 3, 5, 6, 7], timeDeltas: [1000, 2000, 3000, 4000, 5000, 6000] };
  expect(Object.fromEntries(categorise(profile, 'gateway', modulesOf(BUNDLE)))).toEqual({
    ...{ Redis: 3, 'packages/bus': 3, JSON: 4, 'the runtime of Node': 6 },
  });
});
