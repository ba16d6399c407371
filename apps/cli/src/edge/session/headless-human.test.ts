import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { ApprovalRequest } from '@codelab/client';
import { headlessHuman } from './headless-human.js';

const request = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  ...{ callId: 'c', toolName: 'write_file', args: {}, argsText: '{}', argsSha256: '', origin: 'server', onPreview: () => () => undefined },
  ...more,
});
const never = new AbortController().signal;

test(verifies('H1:headless-program', '--approve all decides nothing that a program asks for, and says that nobody did'), async () => {
  const all = headlessHuman('all');
  expect(await all.approve(request(), never)).toEqual({ decision: 'approve' });
  for (const origin of ['server', 'client'] as const) {
    expect(await all.approve(request({ program: true, origin }), never)).toMatchObject({ decision: 'reject', noHuman: true });
  }
  expect(all.lacked).toBe(false);
});
