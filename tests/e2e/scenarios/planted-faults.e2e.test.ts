import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { filesOf, MUTANTS, plantFault } from '@codelab/chaos';
import { verifies } from '@codelab/testkit';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test(verifies('R1:planted-faults', 'each fault that the chaos suite is proven by fits what is built, in one place of each file'), () => {
  const texts = new Map<string, string>();
  const read = (path: string): string => {
    const text = texts.get(path) ?? readFileSync(root + path, 'utf8');
    texts.set(path, text);
    return text;
  };
  for (const mutant of MUTANTS) {
    for (const path of filesOf(mutant)) expect(plantFault(read(path), mutant, path)).not.toBe(read(path));
  }
});
