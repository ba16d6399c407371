import { EMPTY_VIEW } from '@codelab/client/view';
import { expect, test } from 'vitest';
import { statusText } from './status-text.js';

const open = { ...EMPTY_VIEW, link: 'open' as const, model: 'gpt-test' };

test('the status bar says the state, the model, how full it is and what it cost', () => {
  const usage = { input_tokens: 12_000, output_tokens: 300, context_tokens: 30_000, context_window: 120_000, cost_usd: 0.126 };
  const { text, tooltip, tone } = statusText({ ...open, usage });
  expect(text).toBe('$(check) CodeLab gpt-test 25% $0.13');
  expect(tooltip.split('\n')).toEqual(['CodeLab: ready', 'Model: gpt-test', 'Context: 25% of 120k tokens', 'Tokens: 12k in, 300 out']);
  expect(tone).toBe('plain');
});

test('a question, a lost connection and a missing command are seen at once', () => {
  const call = { kind: 'call', callId: 'c', toolName: 'write_file', argsSha256: '', args: '{}', progress: 'waiting' } as const;
  expect(statusText({ ...open, items: [call] })).toMatchObject({ tone: 'warning', text: expect.stringContaining('bell') });
  expect(statusText({ ...open, link: 'lost' })).toMatchObject({ tone: 'warning' });
  expect(statusText({ ...open, link: 'closed' })).toMatchObject({ tone: 'error' });
  expect(statusText({ why: 'failed', message: 'No gateway.' })).toMatchObject({ tone: 'error', tooltip: 'No gateway.' });
  expect(statusText({ why: 'missing' }).text).toContain('circle-slash');
});
