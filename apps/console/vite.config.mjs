import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Packages of ours are bundled from their sources, as everywhere else in development. */
export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ['codelab-source', 'module', 'browser'] },
  build: {
    outDir: 'dist',
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    chunkSizeWarningLimit: 600,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
