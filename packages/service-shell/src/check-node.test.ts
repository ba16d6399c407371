import { expect, test } from 'vitest';
import { checkNode } from './check-node.js';

test.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('Node %s works', (version) => expect(checkNode(version)).toBeUndefined());

test.each(['18.20.4', '20.18.3'])('Node %s is refused in one sentence that says what to do', (version) => {
  expect(checkNode(version)).toBe(
    `Node.js ${version} is too old: CodeLab needs 20.19 or newer; get it from https://nodejs.org or your version manager.`,
  );
});
