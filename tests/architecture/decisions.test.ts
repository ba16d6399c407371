import { expect, test } from 'vitest';
import { FILES, read } from './source-tree.js';

const DECISIONS = FILES.filter((file) => file.startsWith('docs/decisions/2')).map((file) => file.slice('docs/decisions/'.length));
const index = await read('docs/decisions/README.md');

test.each(DECISIONS)('%s has a status and a place in the index', async (name) => {
  const text = await read(`docs/decisions/${name}`);
  const [, status] = /^# .+\n\n\*\*Status\.\*\* (accepted|superseded by \[[^\]]+\]\(2[^)]+\))\n/.exec(text) ?? [];
  expect(status).toBeDefined();
  const [, title] = /^# (.+)/.exec(text)!;
  const lines = index.split('\n').filter((line) => line.includes(`](${name})`));
  expect(lines).toEqual([`- [${title}](${name})${status === 'accepted' ? '' : ' (superseded)'}`]);
});
