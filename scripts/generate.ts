import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.js';

const root = fileURLToPath(new URL('../', import.meta.url));
for (const [path, text] of Object.entries(generatedFiles())) {
  await mkdir(dirname(root + path), { recursive: true });
  await writeFile(root + path, text);
}
