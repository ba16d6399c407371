import type { CallRecord } from '@codelab/protocol';
import { sessionRef, type SessionRef, type Sid } from '../../session-ref.js';
import type { SessionMeta } from '../../session-records.js';
import type { QueuedMessage, Replay, SessionCalls, SessionReads } from '../../session-store.js';
import { decodeCalls } from './decode-calls.js';
import { toFields, toNumber, type Fields } from '../connection/decode-fields.js';
import { decodeInbox } from './decode-inbox.js';
import { decodeLog } from './decode-log.js';
import { isSplit } from '../blobs/split-text.js';
import { FROZEN_SCHEMA } from '../rest/resting-sessions.js';
import { decodeMeta, toMetas } from './decode-meta.js';
import type { SessionScripts } from './session-scripts.js';
import { waitingCalls } from './waiting-calls.js';

type Reads = SessionReads & Pick<SessionCalls, 'readCalls' | 'readWaiting'>;

/** What only reads. */
export function sessionReads(scripts: SessionScripts): Reads {
  const { commands, keys, blobs, strings, rest } = scripts;
  const readMeta = async (ref: SessionRef): Promise<SessionMeta | undefined> => {
    const [fields] = await commands.run('read-meta', [['hgetall', keys.session(ref.sid).meta]]);
    return (await blobs.withTools(toMetas(await rest.complete([ref.sid], [toFields(fields)]))))[0];
  };

  /** Log first, position second: a frame that comes between makes the answer longer or `gone`, never shorter. */
  const replayOnce = async (ref: SessionRef, position: { epoch: string; seq: number }): Promise<Replay | 'again'> => {
    const { log, meta } = keys.session(ref.sid);
    const [entries, fields] = await commands.run('replay', [
      ['xrange', log, `${String(position.seq + 1)}-0`, '+'],
      ['hmget', meta, 'epoch', 'seq', 'schema'],
    ]);
    const [epoch, last, schema] = fields as [string | null, string | null, string | null];
    const isAway = schema === FROZEN_SCHEMA && (entries as unknown[]).length === 0 && Number(last) > position.seq;
    const resting = isAway ? (await rest.read([ref.sid])).get(ref.sid) : undefined;
    if (isAway && resting === undefined) return 'again'; // brought back meanwhile
    const logged = decodeLog(resting?.log.filter(([id]) => Number.parseInt(id, 10) > position.seq) ?? entries);
    const texts = await strings.restore(logged?.map(({ text }) => text) ?? []);
    const frames = logged?.map((frame, n) => (isSplit(frame.text) ? { ...frame, text: texts[n]! } : frame));
    const seq = frames?.at(-1)?.seq ?? Number(last ?? 0);
    const gone: Replay = { kind: 'gone', epoch: epoch ?? '', seq: Number(last ?? 0) };
    if (frames === undefined || epoch === null || epoch !== position.epoch || position.seq > seq) return gone;
    if (frames.length === 0) return seq === position.seq ? { kind: 'frames', epoch, seq, frames } : 'again';
    return frames[0]?.seq === position.seq + 1 ? { kind: 'frames', epoch, seq, frames } : gone;
  };

  /** Whatever opens a session renames the fields of calls that an older release named, and begins a new epoch in another life of the store. */
  const openOnce = (sid: Sid): Promise<unknown> => scripts.write('patchSession', sid, []);

  const read: Reads['read'] = async (ref, { historyItems }) => {
    const session = keys.session(ref.sid);
    const replies = await commands.run('read', [
      ['multi'],
      ['hgetall', session.meta],
      ['hgetall', session.calls],
      ['lrange', session.history, historyItems === 0 ? 1 : -historyItems, historyItems === 0 ? 0 : -1],
      ['hgetall', session.queue],
      ['get', session.todos],
      ['exec'],
      ['readLife', session.meta, commands.lifePlace],
    ]);
    const found = replies.at(-2) as [unknown, unknown, string[], unknown, string | null];
    const [metaFields, callFields, history, queueFields, todos] = found;
    const { schema, epoch, run_id: life } = toFields(metaFields);
    if (schema === FROZEN_SCHEMA) {
      await rest.thaw(ref.sid);
      return read(ref, { historyItems });
    }
    if (schema === '1' || (epoch !== undefined && life !== replies.at(-1))) {
      await openOnce(ref.sid);
      return read(ref, { historyItems });
    }
    const [meta] = await blobs.withTools(toMetas([metaFields]));
    if (meta === undefined) return undefined;
    return {
      meta,
      calls: await strings.restoreCalls(decodeCalls(toFields(callFields))),
      history: await strings.restore(history),
      historyFrom: meta.historyVersion - history.length,
      queue: decodeWaiting(toFields(queueFields), 'order'),
      steering: decodeWaiting(toFields(queueFields), 'steering'),
      todos: todos ?? '',
    };
  };

  const readCalls = async (sid: Sid): Promise<readonly CallRecord[]> => {
    const { meta, calls } = keys.session(sid);
    const readFields = async (): Promise<Fields> => {
      const [found, schema] = await commands.run('read-calls', [
        ['hgetall', calls],
        ['hget', meta, 'schema'],
      ]);
      if (schema !== FROZEN_SCHEMA) return toFields(found);
      const hashes = (await rest.read([sid])).get(sid);
      return hashes === undefined ? readFields() : toFields(hashes.calls); // brought back meanwhile
    };
    const fields = await readFields();
    if (!isOfOlderRelease(fields)) return strings.restoreCalls(decodeCalls(fields));
    await openOnce(sid);
    return strings.restoreCalls(decodeCalls(await readFields()));
  };

  return {
    readMeta,
    replay: async (ref, position) => {
      const first = await replayOnce(ref, position);
      if (first !== 'again') return first;
      const second = await replayOnce(ref, position);
      // Twice nothing after a position that the log is past: the frames were trimmed.
      return second === 'again' ? { kind: 'gone', epoch: position.epoch, seq: (await readMeta(ref))?.seq ?? 0 } : second;
    },
    read,
    readHistory: async (ref, { from, limit }) => {
      const { history } = keys.session(ref.sid);
      const [items, total] = await commands.run('read-history', [
        limit === 0 ? ['lrange', history, 1, 0] : ['lrange', history, from, from + limit - 1],
        ['llen', history],
      ]);
      return { items: await strings.restore(items as string[]), total: Number(total) };
    },
    list: async (owner, { offset, limit }) => {
      const owned = keys.owned(owner);
      const [names] = await commands.runEach('list', [['zrevrange', owned, offset, offset + limit - 1]]);
      const refs = (names as string[]).map((name) => sessionRef(owner, name));
      if (refs.length === 0) return [];
      const hashes = await commands.runEach(
        'list',
        refs.map(({ sid }) => ['hgetall', keys.session(sid).meta]),
      );
      const complete = await rest.complete(
        refs.map(({ sid }) => sid),
        hashes.map(toFields),
      );
      const found = complete.map((fields) => decodeMeta(fields));
      const metas = found.map((meta) => (meta?.child === undefined ? meta : undefined)); // a child is nobody's to name
      const gone = refs.filter((_, index) => metas[index] === undefined).map(({ sessionId }) => sessionId);
      if (gone.length > 0) await commands.runEach('list', [['zrem', owned, ...gone]]);
      return blobs.withTools(metas.filter((meta) => meta !== undefined));
    },
    listRefs: async (owner, { limit }) => {
      const [names] = await commands.runEach('list', [['zrevrange', keys.owned(owner), 0, limit - 1]]);
      return (names as string[]).map((name) => sessionRef(owner, name));
    },
    readInbox: async (sid: Sid, after: number) => {
      const [entries] = await commands.run('read-inbox', [['xrange', keys.session(sid).inbox, `${String(after + 1)}-0`, '+']]);
      return decodeInbox(entries);
    },
    readCalls,
    ...waitingCalls(scripts, readCalls),
  };
}

/** Messages that wait, in order: for a turn, or for the next model request of the one that runs. */
const decodeWaiting = (fields: Fields, list: 'order' | 'steering'): readonly QueuedMessage[] =>
  (fields[list] ?? '')
    .split('\x1f')
    .filter((id) => id !== '')
    .map((id) => ({ messageId: JSON.parse(id) as string, turnId: fields[`${id}:turn_id`] ?? '', frame: fields[`${id}:frame`] ?? '' }));

/** The first releases named the fields of calls by letters. */
const isOfOlderRelease = (fields: Fields): boolean => {
  const open = (fields['open'] ?? '').trim();
  return open !== '' && fields[`${open.split(' ', 1)[0]!}:state`] === undefined;
};

/** The position of a log: `undefined` for no such session. */
export const decodePosition = (reply: unknown): { readonly epoch: string; readonly seq: number } | undefined => {
  const [epoch, seq] = reply as [string | null, string | null];
  return epoch === null ? undefined : { epoch, seq: toNumber(seq ?? '') };
};
