import { expect, test } from 'vitest';
import { readLink } from './safe-link.js';

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' \u0001java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://a/b',
  'vscode://x',
  '//evil.example',
  '\\\\evil\\share',
  '/etc/passwd',
  '../../etc/passwd',
  '#here',
  '',
  'https:',
])('%j leads nowhere', (href) => expect(readLink(href)).toEqual({ kind: 'none' }));

test.each([
  ['https://example.com/a?b#c', { kind: 'address', url: 'https://example.com/a?b#c' }],
  ['mailto:a@example.com', { kind: 'address', url: 'mailto:a@example.com' }],
  ['src/a.ts', { kind: 'file', path: 'src/a.ts' }],
  ['./src/a.ts#L12', { kind: 'file', path: 'src/a.ts', line: 12 }],
  ['src/a.ts:7', { kind: 'file', path: 'src/a.ts', line: 7 }],
])('%j leads somewhere', (href, target) => expect(readLink(href)).toEqual(target));
