import { connectBus, inspectStore } from '../src/redis/index.js';

/** A process that uses the store at the URL that is its argument, and prints what a look at it finds: certificates are trusted per process. */
const [, , url = ''] = process.argv;
const bus = await connectBus({ url, signal: AbortSignal.timeout(15_000) });
const report = { service: 'gateway', replica: 'abc', version: '1', startedAtMs: 1, atMs: 2, waitingFor: [] };
await bus.serviceReports.publish({ ...report, numbers: {}, histograms: [], settings: [] });
process.stdout.write(JSON.stringify({ health: bus.health(), ...(await inspectStore(url)) }));
await bus.close();
