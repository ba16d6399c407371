/** Loaded into each service by `bench --profile`: leaves `<service>.cpuprofile` in `BENCH_PROFILE_DIR` when the process ends. */
const [, service] = /apps[\\/]([a-z-]+)[\\/]dist[\\/]main\.js$/.exec(process.argv[1] ?? '') ?? [];
if (service !== undefined) {
  const { writeFileSync } = require('node:fs');
  const { Session } = require('node:inspector');
  const { parse, stringify } = JSON; // a profile shows no built-in function by itself, so these get a name
  JSON.parse = function jsonParse(...given) {
    return parse(...given);
  };
  JSON.stringify = function jsonStringify(...given) {
    return stringify(...given);
  };
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  setTimeout(() => session.post('Profiler.start'), 3_000).unref(); // the start of a service is not what is measured
  process.on('exit', () =>
    session.post('Profiler.stop', (error, result) => {
      if (!error) writeFileSync(`${process.env.BENCH_PROFILE_DIR}/${service}.cpuprofile`, JSON.stringify(result.profile));
    }),
  );
}
