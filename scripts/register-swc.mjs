/** Runs TypeScript sources as they are: `node --conditions=codelab-source --import ./scripts/register-swc.mjs file.ts`. */
import { register } from 'node:module';

register('./swc-loader.mjs', import.meta.url);
