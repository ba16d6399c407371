import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pathOf } from './transformed-sources.mjs';

const transformer = fileURLToPath(new URL('./transform-sources.mjs', import.meta.url));

/** The transformed form of a source, made if it isn't there. */
function transformed(filename) {
  const path = pathOf(filename, readFileSync(filename, 'utf8'));
  try {
    return readFileSync(path, 'utf8');
  } catch {
    const { status, stderr } = spawnSync(process.execPath, [transformer, filename], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${filename} can't be transformed:\n${stderr}`);
    return readFileSync(path, 'utf8');
  }
}

const isSource = (url) => url.startsWith('file:') && url.endsWith('.ts');

/** Relative imports of a source end in `.js` and mean the `.ts` beside it. */
export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && isSource(context.parentURL ?? '')) {
    const source = new URL(`${specifier.slice(0, -3)}.ts`, context.parentURL);
    if (existsSync(source)) return { url: source.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!isSource(url)) return next(url, context);
  return { format: 'module', source: transformed(fileURLToPath(url)), shortCircuit: true };
}
