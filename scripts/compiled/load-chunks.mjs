import { createRequire } from 'node:module';
import { join } from 'node:path';
import { loadCompiled } from './load-compiled.mjs';

/** The scripts of one program, in one folder, that `require` one another when they need it: each is loaded with its compiled code. */
export function chunksOf(folder) {
  const chunks = new Map();
  const load = (file) => {
    const known = chunks.get(file);
    if (known !== undefined) return known.module.exports;
    const compiled = loadCompiled(file);
    const module = { exports: {} };
    chunks.set(file, { compiled, module });
    const requireOther = createRequire(file);
    compiled.run((name) => (name.startsWith('./') ? load(join(folder, name)) : requireOther(name)), module);
    return module.exports;
  };
  return {
    /** What the chunk of this name exports; it runs when it is first asked for. */
    load: (name) => load(join(folder, name)),
    /** The chunks that have run so far, by their files. */
    loaded: () => [...chunks].map(([file, { compiled }]) => ({ file, compiled })),
  };
}
