import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, verifies } from '@codelab/testkit';
import { existsSync, readFileSync } from 'node:fs';
import { canPlot, withKernel } from '../../test/has-kernel.js';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../test/temporary-workspace.js';

let temporary: TemporaryWorkspace;
beforeAll(async () => {
  temporary = await temporaryWorkspace();
});
afterAll(async () => {
  await temporary.workspace.kernels.close();
  temporary.remove();
});

type Options = NonNullable<Parameters<TemporaryWorkspace['run']>[2]>;
interface Cell {
  readonly outputs: readonly { type: string; text?: string; data?: string; width?: number; height?: number }[];
  readonly error?: { name: string; value: string; traceback?: string };
}
const cell = async (code: string, { timeout_ms = 30_000, ...options }: Options & { timeout_ms?: number } = {}): Promise<Cell> =>
  (await temporary.run(
    'kernel.execute',
    { code, timeout_ms },
    { approved: true, sessionId: 's1', additions: true, ...options },
  )) as unknown as Cell;
const textOf = ({ outputs }: Cell): string => outputs.map(({ text }) => text ?? '').join('');
const isLiving = (pid: number): boolean =>
  existsSync(`/proc/${String(pid)}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));

withKernel(
  verifies('L3:kernel', 'a cell runs in a real kernel: what it prints, its value, its exception, and variables that stay'),
  async () => {
    const first = await cell('import sys\nx = 20\nprint("hällo 🌍")\nprint("careful", file=sys.stderr)\nx + 1');
    expect(first).toMatchObject({ execution_count: 1, started: expect.stringContaining('Python') });
    expect(first).not.toHaveProperty('restarted', true);
    expect(first.outputs).toEqual(
      expect.arrayContaining([
        { type: 'stdout', text: 'hällo 🌍\n' },
        { type: 'stderr', text: 'careful\n' },
        { type: 'text/plain', text: '21' },
      ]),
    );
    expect(await cell('x * 2')).toMatchObject({ execution_count: 2, outputs: [{ type: 'text/plain', text: '40' }] });
    const failed = await cell('print("before")\ny');
    expect(failed).toMatchObject({ error: { name: 'NameError', value: "name 'y' is not defined" }, outputs: [{ text: 'before\n' }] });
    expect(failed.error?.traceback).toContain('----> 2 y');
    expect(failed.error?.traceback).not.toContain('\u001b');
    expect(await cell('x')).toMatchObject({ outputs: [{ text: '20' }] });
    expect(await cell('import os; os.getcwd()')).toMatchObject({ outputs: [{ text: `'${temporary.root}'` }] });
    expect(await cell('input("name? ")')).toMatchObject({ error: { name: 'StdinNotImplementedError' } });
    expect(textOf(await cell('import os; os.system("echo from a program"); os.environ.get("CODELAB_TOKEN")'))).toContain(
      'from a program\n',
    );
  },
);

withKernel('two sessions have a kernel each, and what one of them has ended starts anew and says so', async () => {
  await cell('mine = 1');
  expect(await cell('mine', { sessionId: 's2' })).toMatchObject({ error: { name: 'NameError' } });
  await temporary.run('kernel.restart', {}, { sessionId: 's2' });
  expect(await cell('1', { sessionId: 's2' })).not.toHaveProperty('restarted', true);
  const died = await cell('print("last words", flush=True)\nimport os, time\ntime.sleep(0.5)\nos._exit(3)', { sessionId: 's2' });
  expect(died).toMatchObject({ ended: true, error: { name: 'KernelDied', value: expect.stringContaining('exit code 3') } });
  expect(textOf(died)).toBe('last words\n');
  expect(await cell('mine = 2', { sessionId: 's2' })).toMatchObject({ restarted: true });
  const killed = await cell('import os, signal\nos.kill(os.getpid(), signal.SIGKILL)', { sessionId: 's2' });
  expect(killed).toMatchObject({ ended: true, error: { name: 'KernelDied', value: expect.stringContaining('signal 9') } });
  const { outputs } = await cell('import os; os.getpid()', { sessionId: 's2' });
  process.kill(Number(outputs[0]!.text), 'SIGKILL');
  await eventually('its end', () => !isLiving(Number(outputs[0]!.text)));
  expect(await cell('1', { sessionId: 's2' })).toMatchObject({ error: { name: 'KernelDied' } });
  expect(await cell('mine')).toMatchObject({ outputs: [{ text: '1' }] });
});

withKernel(
  verifies(
    'L3:kernel-stop',
    'a cell that takes too long, is interrupted or is cancelled stops; the kernel goes only if nothing else helps',
  ),
  async () => {
    await cell('kept = 7');
    const slow = await cell('import time\nprint("begun", flush=True)\ntime.sleep(60)', { timeout_ms: 1_000 });
    expect(slow).toMatchObject({ timed_out: true, error: { name: 'KeyboardInterrupt' }, outputs: [{ text: 'begun\n' }] });
    expect(slow).not.toHaveProperty('ended', true);
    const stop = new AbortController();
    const cancelled = cell('print("begun", flush=True)\ntime.sleep(60)', { signal: stop.signal, onOutput: () => stop.abort('cancelled') });
    expect(await cancelled).toBe('CANCELLED');
    let heard = false;
    const running = cell('print("begun", flush=True)\ntime.sleep(60)', { onOutput: () => (heard = true) });
    await eventually('output', () => heard);
    await temporary.run('kernel.interrupt', {}, { sessionId: 's1' });
    expect(await running).toMatchObject({ error: { name: 'KeyboardInterrupt' } });
    expect(await cell('kept')).toMatchObject({ outputs: [{ text: '7' }] });
    const deaf = await cell('while True:\n  try:\n    time.sleep(60)\n  except KeyboardInterrupt:\n    print("no")', { timeout_ms: 500 });
    expect(deaf).toMatchObject({ timed_out: true, ended: true });
    expect(await cell('kept')).toMatchObject({ restarted: true, error: { name: 'NameError' } });
  },
);

withKernel(
  verifies('G4:kernel-output', 'a flood of output is bounded head and tail, in pieces small and large, and costs nothing but itself'),
  async () => {
    let live = 0;
    const flood = await cell('for i in range(10):\n  print(chr(97 + i) * 1_000_000)', { onOutput: (_, data) => (live += data.length) });
    expect(live).toBe(10_000_010);
    expect(textOf(flood).length).toBeLessThan(600_000);
    expect(textOf(flood)).toMatch(/^a+[^]*characters left out[^]*j\n$/);
    expect(flood).toMatchObject({ truncated: true });
    const lines = await cell('import sys\nfor i in range(3_000):\n  print(i, flush=True)\n  print(i, file=sys.stderr, flush=True)');
    expect(textOf(lines)).toMatch(/^0\n/);
    expect(textOf(lines)).toContain('2999\n');
    expect(
      textOf(await cell('for i in range(5000):\n  print(f"\\r{i} of 5000", end="", flush=True)\nprint()\n"x" * 3_000_000')).length,
    ).toBeLessThan(140_000);
    expect(textOf(await cell('for i in range(50):\n  print(f"\\r\\033[31m{i} of 50\\033[0m", end="", flush=True)\nprint()'))).toBe(
      '49 of 50\n',
    );
  },
);

const PNG = `
import zlib, struct
from IPython.display import display, Image, HTML, SVG, Markdown, clear_output
def png(width=4, height=3):
  def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
  import random
  rows = b"".join(b"\\0" + random.randbytes(3 * width) for _ in range(height))
  return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
`;

withKernel(
  verifies('L3:kernel-displays', 'images come as base64 with their size, are kept as files, and are bounded; other displays come as text'),
  async () => {
    await cell(PNG);
    const said: string[] = [];
    const shown = await cell('print("a"); display(Image(png())); print("b")', { onOutput: (_, data) => said.push(data) });
    expect(shown.outputs).toEqual([
      { type: 'stdout', text: 'a\n' },
      { type: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/), width: 4, height: 3 },
      { type: 'stdout', text: 'b\n' },
    ]);
    const path = /\[image 4×3 png, saved to (.+)\]/.exec(said.join(''))![1]!;
    expect(readFileSync(path).toString('base64')).toBe(shown.outputs[1]!.data);
    const many = await cell('for i in range(12):\n  display(Image(png()))');
    expect(many.outputs.filter(({ data }) => data !== undefined)).toHaveLength(10);
    expect(textOf(many)).toContain('an image is left out');
    expect(textOf(await cell('Image(png(1200, 1200))'))).toMatch(/image\/png of \d+ bytes is left out/);
    expect(
      textOf(
        await cell('display(HTML("<p>one &amp; <b>two</b></p>"), SVG("<svg xmlns=\\"http://www.w3.org/2000/svg\\"/>"), Markdown("*m*"))'),
      ),
    ).toMatch(/one & two<svg.*\/>\*m\*/);
    const updated = await cell('h = display("first", display_id=True)\nh.update("second")\nh.update(Image(png()))');
    expect(updated.outputs).toEqual([expect.objectContaining({ type: 'image/png' })]);
    expect(textOf(await cell('print("gone")\nclear_output()\nprint("there")'))).toBe('there\n');
    expect(textOf(await cell('print("gone")\nclear_output(wait=True)\nimport time; time.sleep(0.3)\nprint("there")'))).toBe('there\n');
    expect(textOf(await cell('print("stays")\nclear_output(wait=True)'))).toBe('stays\n');
  },
);

(canPlot ? withKernel : test.skip)('a plot is an image', async () => {
  const plot = await cell('import matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.show()');
  expect(plot.outputs).toEqual([expect.objectContaining({ type: 'image/png', width: expect.any(Number) })]);
});

withKernel('cells of a session wait for each other; the approval is needed, and shows the code', async () => {
  const order: string[] = [];
  const both = ['import time; time.sleep(0.3); print("one")', 'print("two")'].map((code) =>
    cell(code).then((done) => order.push(textOf(done))),
  );
  await Promise.all(both);
  expect(order).toEqual(['one\n', 'two\n']);
  expect(await temporary.run('kernel.execute', { code: '1' }, { sessionId: 's1' })).toBe('DENIED_BY_POLICY');
  expect(await temporary.workspace.preview('kernel.execute', { code: 'x = 1' })).toMatchObject({ preview: { text: 'x = 1' } });
});
