import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import type { MimeBundle } from './bridge-event.js';
import { CellOutput } from './cell-output.js';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03', 'latin1').toString('base64');

const listen = (): {
  output: CellOutput;
  said: string[];
  stream: (text: string, name?: 'stdout' | 'stderr') => void;
  show: (data: MimeBundle, more?: object) => void;
} => {
  const said: string[] = [];
  const output = new CellOutput({ onText: (_, text) => said.push(text), onImage: (type) => `[${type}]` });
  return {
    output,
    said,
    stream: (text, name = 'stdout') => output.add({ event: 'stream', id: 1, name, text }),
    show: (data, more = {}) => output.add({ event: 'display', id: 1, name: null, update: false, large: {}, data, ...more }),
  };
};

test('streams are as a terminal leaves them, in whatever pieces they come', () => {
  const { output, said, stream } = listen();
  for (const piece of ['a\r', '\nb', ' 1\rb 2', '\rb 3\n\u001b[31mr', 'ed\u001b[0m\n', 'x\r\r\n', 'end']) stream(piece);
  stream('e\n', 'stderr');
  expect(said.join('')).toBe('a\r\nb 1\rb 2\rb 3\n\u001b[31mred\u001b[0m\nx\r\r\nende\n');
  expect(output.end()).toEqual({
    parts: [
      { type: 'stdout', text: 'a\nb 3\nred\nx\n' },
      { type: 'stderr', text: 'e\n' },
      { type: 'stdout', text: 'end' },
    ],
    truncated: false,
  });
});

test('of a display one thing is shown: the image, what its plain text says, or what is richer', () => {
  const { output, show } = listen();
  show({ 'text/plain': '<Figure size 640x480 with 1 Axes>', 'image/png': PNG });
  show({ 'text/plain': '   a\n0  1', 'text/html': '<table>…</table>' });
  show({ 'text/plain': '<IPython.core.display.HTML object>', 'text/html': '<style>p{}</style><p>one &amp; <b>two</b><br>three</p>' });
  show({ 'text/plain': '<IPython.core.display.Markdown object>', 'text/markdown': '# m' });
  show({ 'application/x-unknown': 'x' });
  show({ 'image/png': Buffer.from('no png').toString('base64'), 'text/plain': 'a broken one' });
  show({}, { large: { 'image/png': 9_000_000 } });
  expect(output.end().parts.map(({ type, text, image }) => [type, image === undefined ? text : [image.width, image.height]])).toEqual([
    ['image/png', [2, 3]],
    ['text/plain', '   a\n0  1'],
    ['text/plain', 'one & two\nthree'],
    ['text/markdown', '# m'],
    ['text/plain', 'a broken one'],
    ['text/plain', '[image/png of 9000000 bytes is left out: more than 3 MB]'],
  ]);
});

test('a display that is updated changes where it stands, and an image that goes makes room', () => {
  const { output, show } = listen();
  for (let index = 0; index < 10; index += 1) show({ 'image/png': PNG }, { name: `d${String(index)}` });
  show({ 'image/png': PNG });
  show({ 'text/plain': 'text now' }, { name: 'd0', update: true });
  show({ 'image/png': PNG }, { name: 'd1', update: true });
  show({ 'text/plain': 'of another cell' }, { name: 'unknown', update: true });
  const texts = output.end().parts.map(({ text, image }) => (image === undefined ? text : 'image'));
  expect(texts).toEqual(['text now', ...Array<string>(9).fill('image'), expect.stringContaining('left out'), 'of another cell']);
});

test('what is too much is left out of the middle, whatever its pieces are', () => {
  for (const piece of ['x', 'y'.repeat(5_000)]) {
    const { output, stream } = listen();
    for (let index = 0; index < (piece.length === 1 ? 100_000 : 300); index += 1)
      stream(`${piece}\n`, index % 3 === 0 ? 'stderr' : 'stdout');
    const { parts, truncated } = output.end();
    expect(truncated).toBe(true);
    const text = parts.map((part) => part.text).join('');
    expect(text.length).toBeLessThan(540_000);
    expect(text).toContain('characters left out');
    expect(JSON.stringify(parts).length).toBeLessThan(1_000_000); // of alternating streams the wrapping is the most
  }
});

test(verifies('G4:kernel-updates', 'displays that grow by updates are bounded together, and so is what can be updated'), () => {
  const { output, show } = listen();
  const name = (index: number): string => `d${String(index)}`;
  for (let index = 0; index < 2_000; index += 1) show({ 'text/plain': '' }, { name: name(index) });
  for (let index = 0; index < 2_000; index += 1) show({ 'text/plain': 'x'.repeat(100_000) }, { name: name(index), update: true });
  const { parts } = output.end();
  expect(parts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(1_000_000);
});
