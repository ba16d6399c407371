import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { SessionObserver } from '@codelab/client/observer';
import type { CallItem } from '@codelab/client/view';
import { eventually, verifies } from '@codelab/testkit';
import { signInBrowser } from '../sign-in-browser.js';
import { useChats } from '../use-chats.js';

const LONG = Array.from({ length: 60 }, (_, at) => `part ${String(at)}`).join(', ');

const chats = useChats({
  'write it': [{ calls: [{ tool: 'write_file', args: { path: 'notes.txt', content: 'from the model\n' } }] }, { text: 'Written.' }],
  'at length': [{ text: LONG, slow: 40 }],
});

const observers: SessionObserver[] = [];
afterEach(() => {
  for (const observer of observers.splice(0)) observer.close();
});

interface Asked {
  readonly session_id: string;
  readonly call_id: string;
  readonly args_sha256: string;
  readonly executor_connected: boolean;
}

test(
  verifies(
    'H2:console',
    'what a terminal’s session asks stands in the inbox of a browser, and is decided there with an edit that the terminal runs',
  ),
  async () => {
    const [gateway] = chats.system.gateways;
    const browser = await signInBrowser(gateway!.url, chats.system.token);
    const chat = await chats.open();
    const before = (await browser.ask('GET', '/api/v1/approvals')) as { readonly revision: string; readonly approvals: readonly Asked[] };
    expect(before.approvals).toEqual([]);
    const hears = browser.ask('GET', `/api/v1/approvals?since=${before.revision}&wait_ms=20000`);
    chat.say('write it');
    const [asked] = ((await hears) as { readonly approvals: readonly Asked[] }).approvals;
    expect(asked).toMatchObject({ executor_connected: true, tool_name: 'write_file' });
    await chat.shows(/write_file[^]*notes\.txt/);
    const observer = await browser.observe(asked!.session_id);
    observers.push(observer);
    const shown = observer.view().items.find((item): item is CallItem => item.kind === 'call');
    expect(shown).toMatchObject({ callId: asked!.call_id, argsSha256: asked!.args_sha256, progress: 'waiting' });
    await observer.decide(asked!.call_id, {
      ...{ decision: 'edit', modifiedArgs: { path: 'notes.txt', content: 'from the browser\n' }, feedback: 'my words' },
      argsSha256: asked!.args_sha256,
    });
    await chat.shows('Written.');
    expect(await readFile(join(chats.repository.root, 'notes.txt'), 'utf8')).toBe('from the browser\n');
    await eventually('the end of the turn', () => observer.view().items.some((item) => item.kind === 'turn_end'));
    expect(observer.view().items.find((item) => item.kind === 'user')).toMatchObject({ content: 'write it' });
    expect(await browser.ask('GET', '/api/v1/approvals')).toMatchObject({ approvals: [] });
  },
);

test(
  verifies(
    'G3:console',
    'a tab whose gateway is killed in the middle of an answer has all of it in the end, and what was said meanwhile is sent',
  ),
  async () => {
    const [gateway] = chats.system.gateways;
    const browser = await signInBrowser(gateway!.url, chats.system.token);
    const { session_id: sessionId } = (await browser.ask('POST', '/api/v1/sessions', { title: 'From a tab' })) as {
      readonly session_id: string;
    };
    const [one, other] = await Promise.all([browser.observe(sessionId), browser.observe(sessionId)]);
    observers.push(one, other);
    await one.send({ content: 'at length' });
    const textOf = (observer: SessionObserver): string =>
      observer
        .view()
        .items.map((item) => (item.kind === 'assistant' && !item.replaced ? item.text : ''))
        .join('');
    await eventually('some of the answer', () => textOf(one).length > 20);
    process.kill(await chats.system.pidOf(gateway!.url), 'SIGKILL');
    await eventually('the tab notices', () => one.view().link === 'lost');
    const later = one.send({ content: 'write it' });
    await later;
    await eventually('both answers', () => one.view().items.filter((item) => item.kind === 'turn_end').length === 1);
    expect(textOf(one)).toContain(LONG);
    await eventually('the other tab', () => textOf(other).includes(LONG));
    expect(other.view().items.filter((item) => item.kind === 'user')[0]).toMatchObject({ content: 'at length' });
  },
);
