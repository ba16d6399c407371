#!/usr/bin/env node
/** `dist/bundle/main.js` of a command: starts the chunks that lie beside it. */
import { fileURLToPath } from 'node:url';
import { chunksOf } from './load-chunks.mjs';

// a process that runs out of work before the command is done has failed (13)
await chunksOf(fileURLToPath(new URL('.', import.meta.url))).load('command.cjs').ended;
