/** `dist/main.js` of a service: starts the bundle that lies beside it. */
import { fileURLToPath } from 'node:url';
import { loadCompiled } from './load-compiled.mjs';

loadCompiled(fileURLToPath(new URL('service.cjs', import.meta.url))).run();
