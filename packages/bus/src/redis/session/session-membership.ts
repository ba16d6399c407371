import type { SessionMeta } from '../../session-records.js';
import { sessionRef, type SessionRef } from '../../session-ref.js';
import type { Joining, SeenFrame, SessionMembership } from '../../session-store.js';
import { toMetas } from './decode-meta.js';
import { blobNameOf } from '../blobs/blob-name.js';
import type { KeptText } from '../blobs/blobs.js';
import type { ScriptReply } from './lua-results.js';
import { fieldItems, namedArguments, type Item } from './named-arguments.js';
import { REMOVED } from '../feed/log-reader.js';
import type { Command } from '../connection/redis-commands.js';
import type { SessionScripts } from './session-scripts.js';

/** What a session is where nobody says otherwise. */
const DEFAULTS = fieldItems({ agent: 'coder', mode: 'medium', vocabulary: 'auto' });

interface JournalEntry {
  readonly call_id?: unknown;
  readonly state?: unknown;
}

const journalItems = (journal: string | undefined): Item[] => {
  const entries = journal === undefined ? [] : (JSON.parse(journal) as readonly JournalEntry[]);
  const known = entries.filter(({ call_id }) => typeof call_id === 'string');
  return known.map((entry) => [String(entry.call_id), { state: String(entry.state), text: JSON.stringify(entry) }]);
};

/** What a client was told in the words of a head: each field as JSON text. */
const seenItems = (seen: SeenFrame | undefined): Item[] =>
  fieldItems(Object.fromEntries(Object.entries(seen?.frame ?? {}).map(([name, text]) => [name, text && JSON.stringify(text)])));

const joinArguments = (ref: SessionRef, joining: Joining, create: boolean, kept: KeptText | undefined): (string | number)[] => {
  const { clientId = 'seed', capabilities, model, agent, mode, vocabulary } = joining;
  const canExecute = joining.clientId === undefined || kept !== undefined;
  const fields = {
    ...{ creates: create ? '1' : undefined, tenant: ref.owner.tenant, sub: ref.owner.sub, session_id: ref.sessionId },
    ...{ client_id: clientId, client_text: JSON.stringify(clientId), executes: canExecute ? '1' : undefined, succeeds: joining.succeeds },
    ...{ executor_tools: kept?.stored, tools_bytes: kept?.bytes, protocol_version: joining.protocolVersion, workspace: joining.workspace },
    ...{ capabilities, model, agent, mode, vocabulary, seen_epoch: joining.seen?.epoch, seen_seq: joining.seen?.seq },
  };
  return namedArguments(fields, { defaults: DEFAULTS, journal: journalItems(joining.journal), seen_frame: seenItems(joining.seen) });
};

/** Who takes part in a session, and what it is set to. */
export function sessionMembership(scripts: SessionScripts, sessionTtlMs: number): SessionMembership {
  const { commands, keys, blobs, strings, rest } = scripts;
  const metaOf = async (reply: unknown): Promise<SessionMeta | undefined> => (await blobs.withTools(toMetas([reply])))[0];
  const readMeta = (ref: SessionRef): Command => ['hgetall', keys.session(ref.sid).meta];
  const listed = (ref: SessionRef): Command[] => {
    const owned = keys.owned(ref.owner);
    return [
      ['zadd', owned, Math.floor(commands.score()), ref.sessionId],
      ['pexpire', owned, sessionTtlMs],
    ];
  };
  const hearNews = async (ref: SessionRef, [, leaseAlive, news]: ScriptReply): Promise<void> => {
    if (news === '1') await scripts.enter(ref.sid, leaseAlive === 1);
  };

  const removeOne = async (ref: SessionRef): Promise<boolean> => {
    await rest.thaw(ref.sid); // what it refers to stands in what was put away
    const session = keys.session(ref.sid);
    const [reply, texts] = await commands.run('remove', [
      ['hmget', session.meta, 'last_step', 'executor_tools'],
      ['hmget', session.messages, 'facts', 'facts_first', 'prompt_hash'],
    ]);
    const [lastStep, tools] = reply as (string | null)[];
    const [facts, first, prompt] = texts as (string | null)[];
    const names = await strings.namesOf(ref.sid);
    const removedAtMs = commands.score();
    const [existed, step] = await commands.run('remove', [
      ['exists', session.meta],
      ['hget', session.meta, 'last_step'],
      ['unlink', ...session.all, session.frozen, session.children, session.tools, session.step(lastStep ?? 'none')],
      ['spublish', session.stop, 'removed'],
      ['spublish', session.live, `${REMOVED}\x1e0`],
      ['zrem', keys.due(ref.sid), ref.sid],
      ['zrem', keys.owned(ref.owner), ref.sessionId],
    ]);
    if (typeof step === 'string' && step !== lastStep) await commands.run('remove', [['unlink', session.step(step)]]); // begun meanwhile
    await blobs.release(ref.sid, [tools, facts, first, prompt == null ? '' : blobNameOf(prompt)]);
    await strings.release(ref.sid, names, removedAtMs);
    return existed === 1;
  };

  return {
    join: async (ref, joining, { create }) => {
      const kept = joining.tools === undefined ? undefined : await blobs.keep(ref.sid, joining.tools);
      const join = scripts.command('joinSession', ref.sid, joinArguments(ref, joining, create, kept));
      const replies = await commands.run('join', [...(create ? listed(ref) : []), join, readMeta(ref)]);
      const [reply, fields] = replies.slice(-2) as [ScriptReply, unknown];
      const meta = reply[0] < 0 ? undefined : await metaOf(fields);
      const isUsed = kept === undefined || (meta?.storedTools ?? meta?.executorTools) === kept.stored;
      await blobs.release(ref.sid, [reply[3], isUsed ? '' : kept.stored]); // another executes: its tools stay
      if (meta === undefined) return undefined;
      if (reply[4] === '1') commands.suspectLoss(ref.sid);
      await hearNews(ref, reply);
      return meta;
    },
    patch: async (ref, { title, model, agent, mode, vocabulary, clientGraceMs, serverSideDecisions }) => {
      const decisions = serverSideDecisions === undefined ? undefined : serverSideDecisions ? '1' : '';
      const settings = { title, model, agent, mode, vocabulary, client_grace_ms: clientGraceMs, server_side_decisions: decisions };
      const agentText = agent === undefined ? undefined : JSON.stringify(agent);
      const patch = scripts.command('patchSession', ref.sid, namedArguments({ ...settings, agent_text: agentText }));
      const [reply, meta] = (await commands.run('patch', [patch, readMeta(ref)])) as [ScriptReply, unknown];
      if (reply[0] < 0) return undefined;
      await hearNews(ref, reply);
      return metaOf(meta);
    },
    remove: async (ref) => {
      const session = keys.session(ref.sid);
      const [children] = await commands.run('remove', [['zrange', session.children, 0, -1]]);
      for (const name of children as string[]) await removeOne(sessionRef(ref.owner, name));
      return removeOne(ref);
    },
    changeTools: async (ref, { clientId, tools }) => {
      const { stored, bytes } = await blobs.keep(ref.sid, tools);
      const words = { client_id: clientId, client_text: JSON.stringify(clientId), tools: stored, tools_bytes: bytes };
      const reply = await scripts.write('changeTools', ref.sid, namedArguments(words));
      await blobs.release(ref.sid, [reply[0] < 0 ? stored : reply[3]]);
      if (reply[0] < 0) return reply[0] === -2 ? 'forbidden' : 'gone';
      await hearNews(ref, reply);
      return 'kept';
    },
    moveExecutor: async (ref, clientId) => {
      const [code, , replaced] = await scripts.deliver('moveExecutor', ref.sid, [clientId, JSON.stringify(clientId)]);
      if (code < 0) return undefined;
      await blobs.release(ref.sid, [replaced]);
      const [meta] = await commands.run('move-executor', [readMeta(ref)]);
      return metaOf(meta);
    },
  };
}
