import { expect, test } from 'vitest';
import { pastedImagePath } from './pasted-image.js';

test.each([
  ['/tmp/shot.png', '/tmp/shot.png'],
  [' /tmp/shot.JPEG \n', '/tmp/shot.JPEG'],
  ["'/tmp/my shot.webp'", '/tmp/my shot.webp'],
  ['/tmp/my\\ shot\\(1\\).gif', '/tmp/my shot(1).gif'],
  ['file:///tmp/my%20shot.png', '/tmp/my shot.png'],
  ['~/shot.png', '/home/me/shot.png'],
] as const)('%j is the image %s', (text, path) => {
  expect(pastedImagePath(text, '/home/me')).toBe(path);
});

test.each(['', 'look at /tmp/shot.png', '/tmp/notes.txt', 'shot.png', '/tmp/a.png\n/tmp/b.png', 'file://%zz.png', '/tmp/a".png'])(
  '%j is a text',
  (text) => {
    expect(pastedImagePath(text, '/home/me')).toBeUndefined();
  },
);
