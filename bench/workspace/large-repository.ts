import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = 50;
const MODULES = 20;
const LINES = 30;

/** What one file in a thousand holds. */
export const NEEDLE = 'needle in a large repository';

/** Writes a repository of so many small source files, and as many ignored ones as a tenth of them. */
export function writeLargeRepository(root: string, files: number): void {
  const each = Math.ceil(files / PACKAGES / MODULES);
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n*.log\n/dist\n');
  for (let number = 0; number < files; number += 1) {
    const module = Math.floor(number / each);
    const directory = join(root, `package-${String(module % PACKAGES)}`, `module-${String(Math.floor(module / PACKAGES))}`);
    if (number % each === 0) mkdirSync(join(directory, 'node_modules'), { recursive: true });
    const lines = Array.from(
      { length: LINES },
      (_, line) => `export const value${String(line)} = compute(${String(number * line)}, 'text');`,
    );
    if (number % 1_000 === 0) lines.push(`// ${NEEDLE}`);
    writeFileSync(join(directory, `file-${String(number % each)}.ts`), `${lines.join('\n')}\n`);
    if (number % 10 === 0) writeFileSync(join(directory, 'node_modules', `${String(number)}.js`), `// ${NEEDLE}\n`);
  }
}
