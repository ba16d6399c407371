/**
 * Where a run of lines stands in a list of lines, overlapping places included. Linear in both, whatever they hold (Knuth, Morris, Pratt).
 * @param run not empty
 */
export function findLines(lines: readonly string[], run: readonly string[]): number[] {
  const backs = fallbacks(run);
  const found: number[] = [];
  let matched = 0;
  for (const [place, line] of lines.entries()) {
    while (matched > 0 && run[matched] !== line) matched = backs[matched - 1]!;
    if (run[matched] === line) matched += 1;
    if (matched < run.length) continue;
    found.push(place - run.length + 1);
    matched = backs[matched - 1]!;
  }
  return found;
}

/** For each length of a beginning of the run, how long an end of it is a beginning, too. */
function fallbacks(run: readonly string[]): number[] {
  const backs = [0];
  let matched = 0;
  for (let place = 1; place < run.length; place++) {
    while (matched > 0 && run[matched] !== run[place]) matched = backs[matched - 1]!;
    if (run[matched] === run[place]) matched += 1;
    backs.push(matched);
  }
  return backs;
}
