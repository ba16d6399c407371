import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { ContentBlock } from '@modelcontextprotocol/client';
import { boundResult, MAX_BINARY, MAX_RESULT, MAX_TEXT } from './bound-result.js';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });

test(verifies('G4:mcp-results', 'a result of an MCP tool fits a frame: what is too large is cut or left out, and that is said'), () => {
  const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(MAX_BINARY + 4) };
  const blob: ContentBlock = { type: 'resource', resource: { uri: 'x:y', blob: 'A'.repeat(MAX_BINARY + 4) } };
  const bounded = boundResult({ content: [text('x'.repeat(MAX_TEXT + 5)), image, blob], structuredContent: { a: 1 }, isError: true });
  expect(bounded.isError).toBe(true);
  expect(bounded.structuredContent).toEqual({ a: 1 });
  const shown = bounded.content.map((block) => (block.type === 'text' ? block.text.slice(-70) : block.type));
  expect(shown[0]).toContain('[cut: 400,005 characters in all, 400,000 shown]');
  expect(shown[1]).toContain('image of 3.0 MB left out');
  expect(shown[2]).toContain('resource x:y of 3.0 MB left out');
  const many = boundResult({ content: Array.from({ length: 30 }, () => text('y'.repeat(MAX_TEXT))) });
  expect(JSON.stringify(many).length).toBeLessThan(MAX_RESULT);
  expect(many.content.at(-1)).toMatchObject({ text: expect.stringMatching(/blocks left out/) as unknown });
});

test('what does not match the output schema is a note, not a failure', () => {
  const result = { content: [text('a')], structuredContent: { sum: 'x' } };
  expect(boundResult(result, () => true).content).toHaveLength(1);
  expect(boundResult(result, () => false)).toMatchObject({
    structuredContent: { sum: 'x' },
    content: [{}, { text: expect.stringContaining('does not match') as unknown }],
  });
  expect(boundResult({ content: [] }, () => true).content).toMatchObject([
    { text: expect.stringContaining('promises structured content') as unknown },
  ]);
  expect(boundResult({ content: [], isError: true }, () => true).content).toEqual([]);
});
