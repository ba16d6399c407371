import { hash } from 'node:crypto';
import type { SessionWorkspace } from '../../session-store.js';
import { blobNameOf } from '../blobs/blob-name.js';
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
      const kept = await scripts.blobs.keep(sid, text);
      const words = { client_id: clientId, digest, text: kept.stored, bytes: kept.bytes };
      const [code, , replaced] = await scripts.write('keepFacts', sid, namedArguments(words));
      await scripts.blobs.release(sid, code > 0 ? [replaced] : [kept.stored]);
      return code > 0 ? 'kept' : code === -2 ? 'forbidden' : 'gone';
    },
    readFacts: async ({ sid }) => {
      const [reply] = await commands.run('read-facts', [['hmget', keys.session(sid).messages, 'facts_first', 'facts']]);
      const [first, latest] = reply as [string | null, string | null];
      const [begun = '', now = ''] = await scripts.blobs.read([first ?? latest ?? '', latest ?? '']);
      return { first: begun, latest: now };
    },
    readPrompt: async ({ sid }) => {
      const [reply] = await commands.run('read-prompt', [['hmget', keys.session(sid).messages, 'prompt_hash', 'prompt']]);
      const [sha256, written] = reply as [string | null, string | null]; // written out: by a release before
      if (written !== null || sha256 === null) return written ?? '';
      const [text = ''] = await scripts.blobs.read([blobNameOf(sha256)]);
      return text;
    },
  };
}
