import { expect, test } from 'vitest';
import { sessionRef, type SessionMeta } from '@codelab/bus';
import { verifies } from '@codelab/testkit';
import { chooseSession } from './choose-session.js';

const session = (sessionId: string, folder = '', title = '') =>
  ({
    ref: sessionRef({ tenant: 't', sub: 'u' }, sessionId),
    workspace: folder === '' ? '' : JSON.stringify({ id: 'w', name: folder }),
    title,
  }) as SessionMeta;
const [api, web] = [session('s1', 'api'), session('s2', 'web', 'fix the form')];

test('the only session is taken, and of several the one that is named', () => {
  expect(chooseSession([api], undefined)).toBe(api);
  expect(chooseSession([api, web], 's2')).toBe(web);
});

const refused = (connected: readonly SessionMeta[], sessionId?: string): { readonly kind?: string; readonly message?: string } => {
  try {
    chooseSession(connected, sessionId);
  } catch (error) {
    return error as Error;
  }
  return {};
};

test(
  verifies('H1:auto-session', 'which IDE runs tools is never guessed: none, several and another one are told apart, with what to do'),
  () => {
    expect(refused([])).toMatchObject({ kind: 'conflict', code: 'no_ide_connected', message: expect.stringContaining('Connect an IDE') });
    expect(refused([], 's1')).toMatchObject({ kind: 'conflict', code: 'no_ide_connected' });
    expect(refused([api, web])).toMatchObject({
      ...{ kind: 'conflict', param: 'session_id', code: 'several_ides_connected' },
      message: expect.stringContaining('s1 (api), s2 (web: fix the form)'),
    });
    expect(refused([api], 's9')).toMatchObject({
      kind: 'conflict',
      code: 'session_not_connected',
      message: expect.stringContaining('s1 (api)'),
    });
  },
);
