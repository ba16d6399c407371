import { createLocalPolicy } from '@codelab/client';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { modeOf } from './permission-mode.js';
import { waryPolicy } from './wary-policy.js';

test(
  verifies('H1:untrusted-folder', 'in a folder that is not trusted everything is asked about, whatever the servers and the settings say'),
  async () => {
    let isTrusted = false;
    const policy = waryPolicy(createLocalPolicy({ approvals: 'anywhere' }), () => isTrusted);
    const judge = () => policy.judge('read_file', { path: 'a.txt' }, { sessionId: 's' });
    expect(await judge()).toMatchObject({ kind: 'ask', reason: 'this folder is not trusted' });
    isTrusted = true;
    expect(await judge()).toMatchObject({ kind: 'run' });
    expect(modeOf('accept-edits', false)).toBe('strict');
    expect([modeOf('accept-edits', true), modeOf('ask', true), modeOf('nonsense', true)]).toEqual(['permissive', 'medium', 'medium']);
  },
);
