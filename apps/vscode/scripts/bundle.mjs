/**
 * Makes the two halves of the extension, run in its folder: `dist/edge/extension.js` with all that it imports becomes `dist/extension.cjs`
 * (what VS Code loads) with the files that it opens beside it, and `src/webview` with the components becomes `dist/webview/` (what the view loads).
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'rolldown';
import { build as buildPage } from 'vite';

const minify = !process.argv.includes('--readable');

await build({
  input: 'dist/edge/extension.js',
  platform: 'node',
  // the host has it; the others are asked for only where somebody has installed them
  external: ['vscode', 'bufferutil', 'utf-8-validate'],
  output: { file: 'dist/extension.cjs', format: 'cjs', codeSplitting: false, minify, keepNames: true, comments: { jsdoc: false } },
});

/** What the code of the workspace opens by its own place, which is the bundle's now. */
const workspace = dirname(createRequire(import.meta.url).resolve('@codelab/workspace'));
const BESIDE = {
  'supervise.mjs': 'processes/background/supervise.js',
  'ripgrep.conf': 'processes/approval/ripgrep.conf',
  'bridge.py': 'kernel/bridge.py',
};
for (const [name, from] of Object.entries(BESIDE)) copyFileSync(join(workspace, from), join('dist', name));
for (const [, name] of readFileSync('dist/extension.cjs', 'utf8').matchAll(/["'`]\.\/([\w-]+\.(?:mjs|py|conf|wasm))["'`]/g))
  if (!existsSync(join('dist', name)))
    throw new Error(`The bundle opens ${name}, which is not beside it: add it to BESIDE, and to PACKED.`);

await buildPage({
  configFile: false,
  logLevel: 'warn',
  plugins: [react()],
  resolve: { conditions: ['codelab-source', 'module', 'browser'] },
  build: {
    ...{
      outDir: 'dist/webview',
      target: 'es2023',
      cssTarget: 'chrome132',
      minify,
      modulePreload: false,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
    },
    rolldownOptions: {
      input: 'src/webview/main.tsx',
      output: { entryFileNames: 'main.js', assetFileNames: 'main[extname]', codeSplitting: false },
    },
  },
});
