/**
 * Packs the extension: `node scripts/package.mjs [file]`, run in its folder after `pnpm build`. What is packed is put together in
 * `dist/package` first, with a manifest that says nothing of how it was built. vsce is fetched by npx: only whoever
 * releases needs it, it brings 194 packages, two of them with native builds, and its present major asks for a newer Node.js than ours.
 * Fails where the package has grown over its limit, or holds a native module.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const VSCE = '@vscode/vsce@3.9.2';
const LIMIT_BYTES = 3 * 1024 * 1024;
const BESIDE = ['dist/supervise.mjs', 'dist/ripgrep.conf', 'dist/bridge.py'];
const PACKED = ['README.md', 'dist/extension.cjs', ...BESIDE, 'dist/webview', 'media', 'walkthrough'];
const STAGE = 'dist/package';

/** Puts together what is packed: also how a host under test takes it without vsce. */
function stage() {
  rmSync(STAGE, { recursive: true, force: true });
  mkdirSync(STAGE, { recursive: true });
  for (const path of PACKED) cpSync(path, `${STAGE}/${path}`, { recursive: true });
  cpSync('../../LICENSE', `${STAGE}/LICENSE.txt`, { force: true, errorOnExist: false, filter: existsSync });
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of ['devDependencies', 'scripts', 'private', 'type']) delete manifest[name];
  writeFileSync(`${STAGE}/package.json`, `${JSON.stringify(manifest, undefined, 2)}\n`);
  const native = readdirSync(STAGE, { recursive: true }).filter((path) => /\.(node|so|dll|dylib)$/.test(path));
  if (native.length > 0) throw new Error(`These are native modules: ${native.join(', ')}`);
  return manifest.version;
}

const version = stage();
if (process.argv.includes('--stage')) process.exit(0);
const out = resolve(process.argv[2] ?? `dist/codelab-${version}.vsix`);
const words = [
  '--yes',
  VSCE,
  'package',
  '--no-dependencies',
  '--no-rewrite-relative-links',
  '--skip-license',
  '--allow-missing-repository',
  '--out',
  out,
];
const { status } = spawnSync('npx', words, { cwd: STAGE, stdio: 'inherit', shell: process.platform === 'win32' });
if (status !== 0) process.exit(status ?? 1);
const { size } = statSync(out);
console.log(`${out}: ${(size / 1024 / 1024).toFixed(2)} MB`);
if (size >= LIMIT_BYTES) throw new Error(`The package must stay under ${LIMIT_BYTES} bytes.`);
