import { expect, test } from 'vitest';
import { MAX_PUBLISHED_BYTES, MAX_PUBLISHED_TOOLS, type PublishedTool } from '@codelab/bus';
import { withinBounds } from './published.js';

const tool = (name: string, description = ''): PublishedTool => ({
  ...{ name, description, inputSchema: { type: 'object' }, source: 'mcp', access: 'write', tags: [] },
});

test('one runtime publishes so many tools and bytes, and leaves out what is too much', () => {
  const many = Array.from({ length: MAX_PUBLISHED_TOOLS + 1 }, (_, n) => tool(`t${String(n)}`));
  expect(withinBounds(many)).toEqual(many.slice(0, -1));
  const [huge, small] = [tool('huge', 'é'.repeat(MAX_PUBLISHED_BYTES / 2)), tool('small')];
  expect(withinBounds([huge, small])).toEqual([small]);
  const halves = ['a', 'b', 'c'].map((name) => tool(name, 'x'.repeat(MAX_PUBLISHED_BYTES / 2 - 200)));
  expect(withinBounds(halves)).toHaveLength(2);
  expect(JSON.stringify(withinBounds(halves)).length).toBeLessThanOrEqual(MAX_PUBLISHED_BYTES);
});
