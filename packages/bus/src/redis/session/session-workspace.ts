import { hash } from 'node:crypto';
import type { SessionWorkspace } from '../../session-store.js';
import { namedArguments } from './named-arguments.js';
import type { SessionScripts } from './session-scripts.js';

/** Hex digits that tell facts of one session apart. */
const DIGEST_DIGITS = 32;

/** What the model is told of a workspace, beside the prompt of the session. */
export function sessionWorkspace(scripts: SessionScripts): SessionWorkspace {
  const { commands, keys } = scripts;
  return {
    keepFacts: async ({ sid }, { clientId, text }) => {
      const digest = hash('sha256', text).slice(0, DIGEST_DIGITS);
      const [code] = await scripts.write('keepFacts', sid, namedArguments({ client_id: clientId, digest, text }));
      return code > 0 ? 'kept' : code === -2 ? 'forbidden' : 'gone';
    },
    readFacts: async ({ sid }) => {
      const [reply] = await commands.run('read-facts', [['hmget', keys.session(sid).messages, 'facts_first', 'facts']]);
      const [first, latest] = reply as [string | null, string | null];
      return { first: first ?? latest ?? '', latest: latest ?? '' };
    },
    readPrompt: async ({ sid }) => {
      const [prompt] = await commands.run('read-prompt', [['hget', keys.session(sid).messages, 'prompt']]);
      return (prompt as string | null) ?? '';
    },
  };
}
