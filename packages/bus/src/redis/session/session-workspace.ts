import { hash } from 'node:crypto';
import type { SessionWorkspace } from '../../session-store.js';
import { blobNameOf } from '../blobs/blob-name.js';
import type { Sid } from '../../session-ref.js';
import { toFields } from '../connection/decode-fields.js';
import { FROZEN_SCHEMA } from '../rest/resting-sessions.js';
import { namedArguments } from './named-arguments.js';
import type { SessionScripts } from './session-scripts.js';

/** Hex digits that tell facts of one session apart. */
const DIGEST_DIGITS = 32;

/** What the model is told of a workspace, beside the prompt of the session. */
export function sessionWorkspace(scripts: SessionScripts): SessionWorkspace {
  const { commands, keys, rest } = scripts;
  /** Texts of `messages`, also of a session that rests. */
  const readTexts = async (operation: string, sid: Sid, names: readonly string[]): Promise<readonly (string | null | undefined)[]> => {
    const { meta, messages } = keys.session(sid);
    const [texts, schema] = await commands.run(operation, [
      ['hmget', messages, ...names],
      ['hget', meta, 'schema'],
    ]);
    if (schema !== FROZEN_SCHEMA) return texts as (string | null)[];
    const hashes = (await rest.read([sid])).get(sid);
    if (hashes === undefined) return readTexts(operation, sid, names); // brought back meanwhile
    const fields = toFields(hashes.messages);
    return names.map((name) => fields[name]);
  };
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
      const [first, latest] = await readTexts('read-facts', sid, ['facts_first', 'facts']);
      const [begun = '', now = ''] = await scripts.blobs.read([first ?? latest ?? '', latest ?? '']);
      return { first: begun, latest: now };
    },
    readPrompt: async ({ sid }) => {
      const [sha256, written] = await readTexts('read-prompt', sid, ['prompt_hash', 'prompt']); // written out: by a release before
      if (written != null || sha256 == null) return written ?? '';
      const [text = ''] = await scripts.blobs.read([blobNameOf(sha256)]);
      return text;
    },
  };
}
