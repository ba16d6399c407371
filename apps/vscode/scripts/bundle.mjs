/**
 * Makes the two halves of the extension, run in its folder: `dist/edge/extension.js` with all that it imports becomes `dist/extension.cjs`
 * (what VS Code loads), and `src/webview` with the components becomes `dist/webview/` (what the view loads).
 */
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
