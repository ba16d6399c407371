import { expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { startScriptedProvider, verifies, type RecordedRequest, type Reply } from '@codelab/testkit';
import type { Planned } from '../planned-model.js';
import { startChat } from '../start-chat.js';
import { startSystem } from '../start-system.js';
import { useChats, type Plans } from '../use-chats.js';

/** Draws with matplotlib where it is, else by hand: the picture is a PNG file either way. */
const PLOT = `
try:
  import matplotlib.pyplot as plt
  plt.plot(counts); plt.show()
except ImportError:
  import struct, zlib
  from IPython.display import Image, display
  def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
  head = struct.pack(">IIBBBBB", 40, 30, 8, 0, 0, 0, 0)
  display(Image(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\\0" * 41 * 30)) + chunk(b"IEND", b"")))
`;

const cell = (code: string, more: object = {}): Planned => ({ calls: [{ tool: 'run_cell', args: { code, ...more } }] });

/** What the model does, by words of the message. */
const PLANS: Plans = {
  'Look into the log': [
    cell('lines = open("access.log").read().splitlines()\nlen(lines)'),
    cell('counts = [int(line.split()[1]) for line in lines]\nprint("sum", sum(counts))'),
    cell('counts[99]'),
    cell(PLOT),
    cell('max(counts)'),
    { text: 'The most is 9.' },
  ],
  'Wait for me': [cell('import time\nprint("waiting", flush=True)\ntime.sleep(300)'), { text: 'It was stopped.' }],
  'Do you remember': [cell('max(counts)'), { text: 'I do.' }],
};

const chats = useChats(PLANS, { 'access.log': 'a 3\nb 9\nc 4\n' });

const hasKernel = ((): boolean => {
  try {
    const pythons = execFileSync('which', ['-a', 'python3', 'python'], { encoding: 'utf8' }).trim().split('\n');
    return pythons.some((python) => {
      try {
        execFileSync(python, ['-c', 'import ipykernel, jupyter_client'], { cwd: '/', stdio: 'ignore' });
        return true;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
})();

/** Where there is no kernel, the title says how to get one. */
const withKernel = (title: string, run: () => Promise<void>): void => {
  if (hasKernel) test(title, run, 60_000);
  else test.skip(`${title} (needs a kernel: apt-get install python3-ipykernel)`, run);
};

const toolTexts = ({ body }: RecordedRequest): readonly unknown[] =>
  body.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);

withKernel(
  verifies('L3:kernel-chat', 'five cells are approved one by one, their output is seen, and the model gets text, traceback and picture'),
  async () => {
    const chat = await chats.open({ argv: ['--vocabulary', 'agent'], rows: 50 });
    chat.say('Look into the log');
    await chat.decide(/Approval needed {2}kernel\.execute[^]*high risk[^]*lines = open[^]*len\(lines\)/, 'a');
    await chat.decide(/sum\(counts\)/, 'a');
    await chat.shows(/│ 3$/m);
    await chat.decide(/counts\[99\]/, 'a');
    await chat.shows(/│ sum 16$/m);
    await chat.decide(/matplotlib/, 'a');
    await chat.shows(/kernel\.execute [^]*IndexError/);
    await chat.decide(/max\(counts\)/, 'a');
    await chat.shows('The most is 9.');
    await chat.rests();

    const last = chats.model.requests.at(-1)!;
    expect(toolTexts(last)).toEqual([
      expect.stringMatching(/^\[Python 3\.[^]*\]\n3$/),
      'sum 16',
      expect.stringMatching(/----> 1 counts\[99\][^]*IndexError: list index out of range$/),
      expect.stringMatching(/^\[1 image\]$/),
      '9',
    ]);
    const withImage = chats.model.requests.find(({ text }) => text.includes('image_url'))!;
    expect(withImage.body.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,iVBORw0KGgo/) } }],
    });
    const path = /saved to ([^\]]+)\]/.exec(chat.history().replaceAll(/\n\s*│ /g, ''))?.[1];
    if (path !== undefined && existsSync(path)) expect(readFileSync(path).subarray(1, 4).toString()).toBe('PNG');

    chat.say('/kernel');
    await chat.shows(/Python 3[^]*: idle, 5 cells so far, process \d+\./);
    chat.say('Do you remember');
    await chat.decide(/max\(counts\)/, 'a');
    await chat.shows('I do.');
    await chat.rests();
    expect(toolTexts(chats.model.requests.at(-1)!).at(-1)).toBe('9');

    chat.say('Wait for me');
    await chat.decide(/time\.sleep/, 'a');
    await chat.shows(/│ waiting/);
    chat.say('/kernel interrupt');
    await chat.shows('It was stopped.');
    await chat.rests();
    expect(toolTexts(chats.model.requests.at(-1)!).at(-1)).toMatch(/waiting\n[^]*KeyboardInterrupt/);

    chat.say('/kernel restart');
    await chat.shows('The kernel has ended');
    chat.say('Do you remember');
    await chat.decide(/max\(counts\)/, 'a');
    await chat.until('answers again', () => (chat.history().match(/I do\./g) ?? []).length === 2);
    await chat.rests();
    expect(toolTexts(chats.model.requests.at(-1)!).at(-1)).toMatch(/\[kernel was restarted: its variables are gone; Python 3[^]*NameError/);
  },
);

withKernel('a model of Anthropic gets the picture in the result of its call, in its own words for tools', async () => {
  const model = await startScriptedProvider({
    script: ({ text }): Reply =>
      !text.includes('"tool_result"')
        ? { toolCalls: [{ id: 'toolu_1', name: 'run_cell', arguments: JSON.stringify({ code: `counts = [1]\n${PLOT}` }) }] }
        : { text: 'A line.' },
  });
  const system = await startSystem({ env: { ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: 'k', CODELAB_MODEL: 'claude-test' } });
  const chat = await startChat(system, { root: chats.repository.root, argv: ['--vocabulary', 'claude-code'], rows: 50 });
  try {
    chat.say('Draw');
    await chat.decide(/Approval needed {2}kernel\.execute/, 'a');
    await chat.shows('A line.');
    const request = model.requests.at(-1)!;
    expect(request.path).toContain('/v1/messages');
    expect(JSON.stringify(request.body.tools)).toContain('"NotebookEdit"');
    expect(request.body.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: expect.stringMatching(/^\[Python 3/) },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) } },
          ],
        },
      ],
    });
  } finally {
    await chat.close();
    await system.stop();
    await model.close();
  }
});
