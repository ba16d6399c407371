import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Before V8's data stands the checksum of the text that it was made of: V8 itself looks at the length only. Eight bytes, since V8 wants it aligned. */
const HEAD_BYTES = 8;

/**
 * A file of CommonJS, all ASCII, with the code that was compiled of it before, `<file>.cache`. Where that is missing, of another text or of another
 * Node, the text is compiled as ever.
 */
export function loadCompiled(file) {
  const bytes = readFileSync(file);
  const text = bytes.latin1Slice();
  const checksum = crc32(bytes);
  const wrapped = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
  const script = new Script(wrapped, { filename: file, cachedData: readCache(`${file}.cache`, checksum) });
  return {
    /** Whether nothing had to be compiled. */
    isCompiled: script.cachedDataRejected === false,
    run: (require = createRequire(file), module = { exports: {} }) => {
      script.runInThisContext()(module.exports, require, module, file, dirname(file));
    },
    /** What `<file>.cache` holds: all functions that have been called so far. */
    toCache: () => {
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt32LE(checksum);
      return Buffer.concat([head, script.createCachedData()]);
    },
  };
}

function readCache(file, checksum) {
  try {
    const cache = readFileSync(file);
    return cache.readUInt32LE() === checksum ? cache.subarray(HEAD_BYTES) : undefined;
  } catch {
    return undefined; // none was made
  }
}
