import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { SDKS } from './__fixtures__/programs.js';
import { useServedFolder } from './__fixtures__/served-folder.js';

const folder = useServedFolder();
/** 1 × 1 pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.each(SDKS)('a program with the SDK %s', (sdk) => {
  test(verifies('L3:mcp-serve-tools', 'lists tools with schemas, titles and true hints'), async () => {
    const { client } = await folder.connect({ sdk });
    const { tools } = await client.listTools();
    const named = new Map(tools.map((tool) => [tool.name, tool]));
    expect([...named.keys()]).toEqual(
      expect.arrayContaining(['read_file', 'git_diff', 'media_read', 'write_file', 'run_command', 'prompt_user']),
    );
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_]{1,64}$/);
      expect({ title, description, inputSchema, outputSchema }).toEqual({
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: expect.objectContaining({ type: 'object' }),
        outputSchema: expect.objectContaining({ type: 'object' }),
      });
      expect(annotations).toBeDefined();
    }
    expect(named.get('read_file')?.annotations).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(named.get('run_command')?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
  });

  test(verifies('L3:mcp-serve-results', 'reads a file unasked, as text and as data'), async () => {
    const program = await folder.connect({ sdk });
    const answer = await program.call('read_file', { path: 'a.txt' });
    expect(answer).toMatchObject({ text: 'one\n', isError: false, data: { content: 'one\n', encoding: 'utf-8' } });
    const list = await program.call('list_files');
    expect(list.text).toBe('a.txt');
  });

  test(verifies('L3:mcp-serve-results', 'gets an image as an image'), async () => {
    await writeFile(`${folder.root}/dot.png`, Buffer.from(PNG, 'base64'));
    const program = await folder.connect({ sdk });
    const { content, data } = await program.call('media_read', { path: 'dot.png' });
    expect(content[0]).toMatchObject({ type: 'image', mimeType: 'image/png', data: PNG });
    expect(data).toEqual({ media_type: 'image/png', width: 1, height: 1 });
  });

  test(verifies('W1:mcp-serve', 'finds nothing outside of the folder, as a tool or as a resource'), async () => {
    const program = await folder.connect({ sdk, onForm: () => ({ action: 'accept', content: { decision: 'approve' } }) });
    for (const path of ['../data', '/etc/passwd', 'x/../../y'])
      expect(await program.call('read_file', { path })).toMatchObject({
        isError: true,
        text: expect.stringContaining('[PATH_OUTSIDE_WORKSPACE]'),
      });
    expect(await program.call('write_file', { path: '../b', content: '' })).toMatchObject({ isError: true });
    expect(await program.call('run_command', { command: 'pwd', cwd: '..' })).toMatchObject({ isError: true });
    const uris = [
      'file:///etc/passwd',
      `file://${folder.root}/../data/x`,
      `file://${folder.root}/%2e%2e/data/x`,
      `file://${folder.root}/..%2fdata%2fx`,
    ];
    for (const uri of [...uris, `file://${folder.root}x/a.txt`, 'http://localhost/a.txt', 'x'])
      await expect(program.client.readResource({ uri })).rejects.toThrow();
    await expect(program.client.readResource({ uri: `file://${folder.root}/a.txt` })).resolves.toMatchObject({
      contents: [{ text: 'one\n', mimeType: 'text/plain' }],
    });
  });

  test(verifies('L3:mcp-serve-resources', 'lists files as resources, and completes their paths'), async () => {
    const program = await folder.connect({ sdk });
    const { resources } = await program.client.listResources();
    expect(resources).toEqual([
      expect.objectContaining({ uri: `file://${folder.root}/a.txt`, name: 'a.txt', mimeType: 'text/plain', size: 4 }),
    ]);
    const { completion } = await program.client.complete({
      ref: { type: 'ref/resource', uri: `file://${folder.root}/{+path}` },
      argument: { name: 'path', value: 'a' },
    });
    expect(completion.values).toEqual(['a.txt']);
  });

  test(verifies('L1:mcp-serve-secrets', 'reads no secret, in a file, a resource, a command or an error'), async () => {
    const key = ['AKIA', 'IOSFODNN7', 'EXAMPLF'].join('');
    await folder.write('keys.txt', `id = ${key}\n${folder.token}\n`);
    const heard: string[] = [];
    const program = await folder.connect({ sdk, onForm: () => ({ action: 'accept', content: { decision: 'approve' } }) });
    const read = await program.call('read_file', { path: 'keys.txt' });
    const ran = await program.call(
      'run_command',
      { command: 'cat keys.txt; sleep 0.3; cat keys.txt >&2' },
      { onProgress: (text) => heard.push(text) },
    );
    const { contents } = await program.client.readResource({ uri: `file://${folder.root}/keys.txt` });
    for (const said of [JSON.stringify(read), JSON.stringify(ran), JSON.stringify(contents), heard.join('')]) {
      expect(said).toContain('[secret ');
      expect(said).not.toContain(key);
      expect(said).not.toContain(folder.token);
    }
  });

  test(verifies('L2:mcp-serve-cancel', 'stops a command that it gives up, with all that it started'), async () => {
    const program = await folder.connect({ sdk, onForm: () => ({ action: 'accept', content: { decision: 'approve' } }) });
    const stop = new AbortController();
    const command = 'sleep 600 & echo $! > pid; wait';
    const call = program.call('run_command', { command, timeout_ms: 600_000 }, { signal: stop.signal });
    const pid = await eventually('the command runs', async () => Number(await folder.read('pid').catch(() => '')) || undefined);
    stop.abort('enough');
    await expect(call).rejects.toThrow();
    await eventually('nothing of it runs', () => !isAlive(pid));
  });

  test(verifies('L3:mcp-serve-progress', 'hears what a long command prints'), async () => {
    const heard: string[] = [];
    const program = await folder.connect({ sdk, onForm: () => ({ action: 'accept', content: { decision: 'approve' } }) });
    await program.call('run_command', { command: 'echo first; sleep 0.6; echo second' }, { onProgress: (text) => heard.push(text) });
    expect(heard).toContain('first\n');
    expect(heard).toContain('second\n');
  });
});

/** Whether a process runs; one that has ended and that nobody has noticed doesn't. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
