import { randomUUID } from 'node:crypto';
import type { ChaosEventBody } from '../recording/chaos-event.js';
import { CAPABILITIES, WireObserver } from './observer/wire-observer.js';
import type { RestClient } from './rest-client.js';
import type { Owner } from './script/owners.js';

const AUDIT_MS = 10_000;

/** Reads a session at its end: what REST says of it, its history, and the whole log, once as a replay and once as a snapshot. */
export async function auditSession(options: {
  readonly session: string;
  readonly owner: Owner;
  readonly url: string;
  readonly rest: RestClient;
  readonly record: (event: ChaosEventBody) => void;
}): Promise<void> {
  const { session, owner, url, rest, record } = options;
  const path = `/api/v1/sessions/${session}`;
  const { status, body } = await rest.insist('GET', path, undefined, AUDIT_MS);
  if (status !== 200) return;
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '?limit=100' : `?limit=100&cursor=${encodeURIComponent(cursor)}`;
    const part = await rest.insist('GET', `${path}/history${query}`, undefined, AUDIT_MS);
    cursor = (part.body as { next_cursor?: string }).next_cursor;
  } while (cursor !== undefined);
  await rest.insist('GET', `${path}/pending-approvals`, undefined, AUDIT_MS);
  const { epoch, seq } = body as { epoch: string; seq: number };
  const about = { role: 'auditor', owner: owner.name, session, token: owner.token, url, record } as const;
  const read = async (name: string, from: { epoch: string; seq: number } | undefined): Promise<void> => {
    const observer = new WireObserver({
      ...{ ...about, name: `${name}/${session}`, clientId: randomUUID(), from },
      hello: { capabilities: [...CAPABILITIES, 'tool_use'], resume: from },
    });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, AUDIT_MS);
      const stop = observer.listen((frame) => {
        const isAtEnd =
          frame.type === 'welcome' ? from === undefined || frame['recovered'] === false || seq === 0 : Number(frame['seq']) >= seq;
        if (!isAtEnd) return;
        clearTimeout(timer);
        stop();
        resolve();
      });
    });
    await observer.close();
  };
  await Promise.all([read('replay', { epoch, seq: 0 }), read('snapshot', undefined)]);
}
