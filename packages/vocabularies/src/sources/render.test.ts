import { describe, expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { MAX_RESULT } from '../render/cut.js';
import { renderItems } from './render-items.js';
import { renderMcp } from './render-mcp.js';
import { sourceRow } from './source-row.js';

describe(verifies('L3:mcp-rendering', 'what an MCP server answers reads as what it is: texts, pictures, resources, links, errors'), () => {
  const mcp = (content: readonly unknown[], more = {}) => renderMcp({ content, ...more } as never, 'mcp__s__t');

  test.each<[string, readonly unknown[], object, object]>([
    ['a text', [{ type: 'text', text: 'hi' }], {}, { text: 'hi', items: [{ content: 'hi' }] }],
    [
      'two texts',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      {},
      { text: 'a\n\nb' },
    ],
    ['an error', [{ type: 'text', text: 'no' }], { isError: true }, { text: 'no', isError: true }],
    [
      'a picture',
      [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }],
      {},
      { text: '(a picture)', images: [{ mediaType: 'image/png', data: 'AAAA' }] },
    ],
    [
      'a picture of another kind',
      [{ type: 'image', mimeType: 'image/tiff', data: 'A' }],
      {},
      { text: '[a picture (image/tiff), which models do not take]' },
    ],
    ['a sound', [{ type: 'audio', mimeType: 'audio/wav', data: 'A' }], {}, { text: '[a sound (audio/wav), which is not passed on]' }],
    [
      'a resource',
      [{ type: 'resource', resource: { uri: 'demo://a/b', text: 'x' } }],
      {},
      { text: 'demo://a/b:\nx', items: [{ name: 'b', uri: 'demo://a/b' }] },
    ],
    [
      'a resource of bytes',
      [{ type: 'resource', resource: { uri: 'demo://a', blob: 'A' } }],
      {},
      { text: '[demo://a (of no kind) has no text]' },
    ],
    ['a link', [{ type: 'resource_link', uri: 'demo://a', name: 'A', description: 'what' }], {}, { text: 'A: demo://a (what)' }],
    ['structured content', [], { structuredContent: { n: 1 } }, { text: '{"n":1}' }],
    [
      'structured content that a text says',
      [{ type: 'text', text: '{ "n": 1 }' }],
      { structuredContent: { n: 1 } },
      { text: '{ "n": 1 }' },
    ],
    ['nothing', [], {}, { text: '(the tool answered nothing)' }],
    ['a block of no kind', [{ type: 'video' }], {}, { text: '{"type":"video"}' }],
    ['no blocks at all', [null, 7], {}, { text: 'null\n\n7' }],
  ])('%s', (_, content, more, expected) => expect(mcp(content, more)).toMatchObject(expected));

  test('what is none of it reads as JSON, and what is long is cut', () => {
    expect(renderMcp({ any: 1 }, 't').text).toBe('{"any":1}');
    expect(mcp([{ type: 'text', text: 'x'.repeat(200_000) }]).text.length).toBeLessThan(MAX_RESULT);
    const many = mcp(Array.from({ length: 20 }, () => ({ type: 'image', mimeType: 'image/png', data: 'A' })));
    expect([many.images?.length, many.text]).toEqual([8, '[12 more pictures are left out]']);
  });
});

describe(
  verifies('L3:items-by-url', 'context items reach the model as their contents and clients as items, whatever else is in them'),
  () => {
    test.each<[string, object, object]>([
      [
        'items',
        { output: [{ name: 'A', description: 'd', content: 'a', uri: 'u:1', icon: 'https://x.test/i.png' }, { content: 'b' }] },
        {
          text: 'a\n\nb',
          items: [
            { name: 'A', description: 'd', content: 'a', uri: 'u:1', icon: 'https://x.test/i.png' },
            { name: 'tool', content: 'b' },
          ],
        },
      ],
      [
        'an icon that is no picture of the web',
        { output: [{ content: 'a', icon: 'javascript:alert(1)' }] },
        { items: [{ icon: undefined }] },
      ],
      ['a text', { output: 'plain' }, { text: 'plain' }],
      ['an error', { error: 'no such city' }, { text: 'Error [TOOL_FAILED]: no such city', isError: true }],
      ['an error with a message', { error: { message: 'no' } }, { text: 'Error [TOOL_FAILED]: no', isError: true }],
      ['anything', { temperature: 7 }, { text: '{"temperature":7}' }],
      ['odd items', { output: [1, null, { content: { a: 1 } }] }, { text: '1\n\nnull\n\n{"a":1}' }],
    ])('%s', (_, result, expected) => expect(renderItems(result as never, 'tool')).toMatchObject(expected));
  },
);

test('a tool from outside is called once, and its error is told by its code', () => {
  const row = sourceRow('mcp__git_hub__new_issue', { tool: 'mcp__git_hub__new_issue', source: 'mcp' });
  expect(row.displayName).toBe('New issue (git_hub)');
  const context = {} as never;
  expect(row.next({ a: 1 }, [], context)).toEqual({ call: { tool: 'mcp__git_hub__new_issue', args: { a: 1 } } });
  const outcome = { tool: 't', args: {}, asked: false, ok: false, code: 'TIMEOUT', message: 'late' } as const;
  expect(row.next({}, [outcome], context)).toMatchObject({ text: 'Error [TIMEOUT]: late', isError: true });
});

test(verifies('G4:mcp-rendering', 'many texts beside a large structured result are read at once'), () => {
  const content = Array.from({ length: 10_000 }, () => ({ type: 'text', text: 'x' }));
  const beganAtMs = performance.now();
  renderMcp({ content, structuredContent: { a: 'y'.repeat(1_000_000) } }, 'mcp__s__t');
  expect(performance.now() - beganAtMs).toBeLessThan(5_000);
});
