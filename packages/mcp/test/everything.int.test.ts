import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import type { Elicitation, McpServers } from '../src/index.js';
import { EVERYTHING, manage, program, startEverything, type RunningServer } from './stock-servers.js';

const text = (result: { readonly content: readonly unknown[] }): string =>
  result.content.map((block) => (block as { readonly text?: string }).text ?? '').join('\n');

describe.each(['stdio', 'http', 'sse'] as const)('server-everything by %s', (kind) => {
  let running: RunningServer | undefined;
  let servers: McpServers;
  const asked: Elicitation[] = [];
  const sampled: unknown[] = [];
  const logged: string[] = [];

  beforeAll(async () => {
    if (kind !== 'stdio') running = await startEverything(kind === 'http' ? 'streamableHttp' : 'sse');
    const server =
      running === undefined
        ? program('every', EVERYTHING, 'stdio')
        : { name: 'every', transport: { kind: 'http' as const, url: running.url, headers: {} } };
    servers = manage([{ ...server, sampling: true }], {
      hooks: {
        elicit: (request) => {
          asked.push(request);
          return Promise.resolve({ action: 'accept', content: { name: 'Ada', check: true } });
        },
        sample: (request) => {
          sampled.push(request);
          return Promise.resolve({
            model: 'm',
            role: 'assistant',
            content: { type: 'text', text: 'sampled answer' },
            stopReason: 'endTurn',
          });
        },
        roots: () => [{ uri: 'file:///work/space', name: 'space' }],
        log: ({ kind: what, message }) => {
          if (what === 'log') logged.push(message);
        },
      },
    });
    await servers.start();
  });

  afterAll(async () => {
    await servers.close();
    await running?.stop();
  });

  test('is there, with what it says of itself', () => {
    const [state] = servers.servers();
    expect(state).toMatchObject({ name: 'every', status: { kind: 'ready' }, transport: kind });
    expect(state!.tools).toBeGreaterThan(8);
    expect(state!.prompts).toBeGreaterThan(2);
    expect(state!.resources).toBeGreaterThan(2);
  });

  test(
    verifies(
      'L3:mcp-results',
      'texts, images, links, embedded resources and structured content of an MCP tool come as the server sent them',
    ),
    async () => {
      const call = (tool: string, args: object = {}) => servers.callTool('every', tool, { ...args });
      expect(await call('echo', { message: 'hello' })).toEqual({ content: [{ type: 'text', text: 'Echo: hello' }] });
      expect(text(await call('get-sum', { a: 2, b: 3 }))).toContain('5');
      expect((await call('get-tiny-image')).content).toContainEqual(expect.objectContaining({ type: 'image', mimeType: 'image/png' }));
      const weather = await call('get-structured-content', { location: 'New York' });
      expect(weather.structuredContent).toMatchObject({ conditions: expect.any(String) as unknown });
      expect(text(weather)).not.toContain('does not match');
      const annotated = await call('get-annotated-message', { messageType: 'error', includeImage: true });
      expect(annotated.content[0]).toMatchObject({ annotations: { priority: 1, audience: ['user', 'assistant'] } });
      expect((await call('get-resource-links', { count: 3 })).content.filter(({ type }) => type === 'resource_link')).toHaveLength(3);
      const embedded = await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 });
      expect(embedded.content).toContainEqual(expect.objectContaining({ type: 'resource' }));
    },
  );

  test('a long call tells its progress, and is ended by its caller', async () => {
    const lines: string[] = [];
    const done = servers.callTool(
      'every',
      'trigger-long-running-operation',
      { duration: 0.4, steps: 4 },
      { onProgress: (line) => lines.push(line) },
    );
    expect(text(await done)).toContain('completed');
    expect(lines).toContain('3/4');
    const cancel = new AbortController();
    const begun = Date.now();
    const long = servers.callTool('every', 'trigger-long-running-operation', { duration: 30, steps: 30 }, { signal: cancel.signal });
    setImmediate(() => cancel.abort());
    await expect(long).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(Date.now() - begun).toBeLessThan(2_000);
    await expect(
      servers.callTool('every', 'trigger-long-running-operation', { duration: 30, steps: 1 }, { timeoutMs: 200 }),
    ).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  test('it may ask the person, a model, and for the folders', async () => {
    expect(text(await servers.callTool('every', 'get-roots-list', {}))).toContain('file:///work/space');
    const answer = await servers.callTool('every', 'trigger-elicitation-request', {});
    expect(asked.at(-1)).toMatchObject({ mode: 'form', schema: { type: 'object' } });
    expect(text(answer)).toContain('Ada');
    expect(text(await servers.callTool('every', 'trigger-sampling-request', { prompt: 'hi', maxTokens: 50 }))).toContain('sampled answer');
    expect(sampled).toHaveLength(1);
    const byUrl = await servers.callTool('every', 'trigger-url-elicitation', { url: 'https://example.org/login' });
    expect(asked.at(-1)).toMatchObject({ mode: 'url', url: 'https://example.org/login' });
    expect(byUrl.isError).toBeUndefined();
  });

  test('resources are read, followed and named by templates', async () => {
    const [first] = servers.resources();
    expect((await servers.readResource('every', first!.uri)).contents[0]).toMatchObject({ uri: first!.uri });
    const dynamic = await servers.readResource('every', 'demo://resource/dynamic/text/1');
    expect(dynamic.contents[0]).toHaveProperty('text');
    expect((await servers.readResource('every', 'demo://resource/dynamic/blob/1')).contents[0]).toHaveProperty('blob');
    await expect(servers.readResource('every', 'demo://nowhere')).rejects.toMatchObject({ code: 'REFUSED' });
    expect(servers.resourceTemplates().map(({ uriTemplate }) => uriTemplate)).toContain('demo://resource/dynamic/text/{resourceId}');
    let told = 0;
    const stop = await servers.watchResource('every', 'demo://resource/dynamic/text/1', () => (told += 1));
    await servers.callTool('every', 'toggle-subscriber-updates', {});
    await eventually('the resource changed', () => told > 0);
    await servers.callTool('every', 'toggle-subscriber-updates', {});
    await stop();
  });

  test('prompts are filled in, with arguments that it completes', async () => {
    expect((await servers.getPrompt('every', 'simple-prompt')).messages).not.toHaveLength(0);
    const filled = await servers.getPrompt('every', 'args-prompt', { city: 'Paris' });
    expect(JSON.stringify(filled.messages)).toContain('Paris');
    const { values } = await servers.complete('every', {
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'E' },
    });
    expect(values).toContain('Engineering');
    const ids = await servers.complete('every', {
      ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
      argument: { name: 'resourceId', value: '1' },
    });
    expect(ids.values).toContain('1');
  });

  test('what it logs is told', async () => {
    await servers.callTool('every', 'toggle-simulated-logging', {});
    await eventually('a log message came', () => logged.length > 0);
    await servers.callTool('every', 'toggle-simulated-logging', {});
  });
});
