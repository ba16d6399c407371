import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EMPTY_VIEW, reduceSession, type SessionEvent } from '@codelab/client/view';
import { verifies } from '@codelab/testkit';
import { ScriptedGateway, type Frame } from '../session/__fixtures__/scripted-gateway.js';
import { HumanAtTerminal } from '../session/ask-human.js';
import { chooseGateway } from '../session/choose-gateway.js';
import { chooseWorkspace } from '../session/choose-workspace.js';
import { localExecutor } from '../session/local-executor.js';
import { Conversation } from './conversation.js';

let folder: string;
let gateway: ScriptedGateway;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codelab-conversation-'));
});
afterEach(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});

test(
  verifies('L3:chat-sessions', 'a chat goes on in another session, is remembered there, and hears no more of the one that it left'),
  async () => {
    gateway = await new ScriptedGateway(() => undefined, true).listening();
    const heard: SessionEvent[] = [];
    const ends: unknown[] = [];
    const tell = (event: SessionEvent): void => void heard.push(event);
    const dataDir = join(folder, 'data');
    const workspace = await chooseWorkspace(folder, dataDir);
    const place = {
      gateway: await chooseGateway({ url: gateway.url, token: 'good' }, () => undefined),
      workspace,
      dataDir,
      sessionId: 'new',
    };
    const human = new HumanAtTerminal(() => undefined);
    const { executor } = await localExecutor({ root: workspace.identity.root, dataDir, ask: human, tell });
    const conversation = new Conversation({ place, human, tell, view: () => EMPTY_VIEW, end: (why) => ends.push(why) });
    const first = await conversation.join('new', executor, { model: 'm' });
    expect([first.sessionId, await workspace.lastSession(place.gateway.place)]).toEqual(['s1', 's1']);
    await conversation.leave();
    const before = heard.length;
    expect(conversation.client).toBeUndefined();
    const second = await conversation.join('s2', executor, undefined);
    expect(await conversation.connection).toBe(second);
    expect([second.sessionId, await workspace.lastSession(place.gateway.place)]).toEqual(['s2', 's2']);
    expect(gateway.of('hello').map(({ model }) => model)).toEqual(['m', undefined]);
    const welcomes = heard
      .slice(before)
      .flatMap((event) => (event.kind === 'frame' && event.frame.type === 'welcome' ? [event.frame] : []));
    expect(welcomes.map(({ session_id }) => session_id)).toEqual(['s2']);
    expect(heard.slice(before)).not.toContainEqual(expect.objectContaining({ kind: 'link', link: 'lost' }));
    expect(ends).toEqual([]);
    await conversation.leave();
  },
);

test(
  verifies('G2:mode-told', 'a mode that another window sets while this one learns the settings of the session is shown for good'),
  async () => {
    let say: (frame: Frame) => void = () => undefined;
    gateway = await new ScriptedGateway((speak) => (say = speak), true).listening();
    let view = EMPTY_VIEW;
    let isTold = (): void => undefined;
    const told = new Promise<void>((resolve) => (isTold = resolve));
    const tell = (event: SessionEvent): void => {
      view = reduceSession(view, event);
      if (view.mode === 'plan') isTold();
    };
    const rest = createServer((_, response) => {
      say({ type: 'mode_switched', mode: 'plan', seq: 1 });
      void told.then(() => response.end('{"session_id":"s2","model":"m2","mode":"low","agent":"architect"}'));
    }).listen(0, '127.0.0.1');
    await once(rest, 'listening');
    try {
      const dataDir = join(folder, 'data');
      const workspace = await chooseWorkspace(folder, dataDir);
      const chosen = await chooseGateway({ url: gateway.url, token: 'good' }, () => undefined);
      const http = `http://127.0.0.1:${String((rest.address() as AddressInfo).port)}`;
      const human = new HumanAtTerminal(() => undefined);
      const { executor } = await localExecutor({ root: workspace.identity.root, dataDir, ask: human, tell });
      const place = { gateway: { ...chosen, http }, workspace, dataDir, sessionId: 's2' };
      const conversation = new Conversation({ place, human, tell, view: () => view, end: () => undefined });
      await conversation.join('s2', executor, undefined);
      expect(view).toMatchObject({ mode: 'plan', agent: 'architect', model: 'm2' });
      await conversation.leave();
    } finally {
      rest.closeAllConnections();
      rest.close();
      await once(rest, 'close');
    }
  },
);
