/**
 * Makes `dist/service.cjs.cache`, run in the folder of a service: starts it as far as it comes without a Redis, and keeps what V8 has compiled by then. It runs
 * as a child of `bundle-service.mjs`, which gives it its settings.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers';
import { loadCompiled } from './load-compiled.mjs';

const file = resolve('dist/service.cjs');
const send = process.send.bind(process);
const service = loadCompiled(file);

/** What a service tells its supervisor: here nobody else listens. */
process.send = ({ type }) => {
  if (type !== 'listening') return true;
  setImmediate(() => {
    writeFileSync(`${file}.cache`, service.toCache());
    send({ type: 'written' }, () => process.exit());
  });
  return true;
};
service.run();
