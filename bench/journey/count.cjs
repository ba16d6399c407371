/** Loaded into each service by `bench/journey.ts`: on SIGUSR2 writes the names of our files of which a function ran since the last one. */
const [, service] = /apps[\\/]([a-z-]+)[\\/]dist[\\/]main\.js$/.exec(process.argv[1] ?? '') ?? [];
if (service !== undefined) {
  const { renameSync, writeFileSync } = require('node:fs');
  const { Session } = require('node:inspector');
  const OURS = /\/((?:apps|packages)\/[a-z-]+)\/dist\/(.*)\.js$/;
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let taken = 0;
  process.on('SIGUSR2', () =>
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      const called = result.filter(({ functions }) =>
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0),
      );
      const names = called
        .filter(({ url }) => !url.includes('/.pnpm/') && OURS.test(url))
        .map(({ url }) => url.replace(/^.*(?=\/(?:apps|packages)\/)/, ''));
      const file = `${process.env.BENCH_JOURNEY_DIR}/${service}.${String(taken++)}.json`;
      writeFileSync(`${file}.part`, JSON.stringify(names.map((name) => name.replace(OURS, '$1/src/$2.ts'))));
      renameSync(`${file}.part`, file);
    }),
  );
}
