/**
 * Loaded into what holds the idle connections: on `SIGUSR2` it collects the garbage and reports what is left, in bytes. The young generation
 * is left out of the resident pages: it has one size or the other (32 MB more or less), whatever connections there are.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { getHeapSpaceStatistics, setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => {
  for (let times = 0; times < 4; times += 1) collect();
  const { heapUsed: live, rss } = process.memoryUsage();
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').physical_space_size;
  const file = `${process.env.BENCH_MEMORY_DIR}/${process.pid}`;
  writeFileSync(`${file}.new`, JSON.stringify({ live, resident: rss - young }));
  renameSync(`${file}.new`, file);
});
