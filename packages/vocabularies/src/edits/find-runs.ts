/**
 * Where a run of items stands in a list (or a text in a text), overlapping places included. Linear in both, whatever they hold (Knuth, Morris,
 * Pratt).
 * @param run not empty
 */
export function findRuns(all: ArrayLike<string>, run: ArrayLike<string>): number[] {
  const backs = fallbacks(run);
  const found: number[] = [];
  let matched = 0;
  for (let place = 0; place < all.length; place++) {
    const item = all[place];
    while (matched > 0 && run[matched] !== item) matched = backs[matched - 1]!;
    if (run[matched] === item) matched += 1;
    if (matched < run.length) continue;
    found.push(place - run.length + 1);
    matched = backs[matched - 1]!;
  }
  return found;
}

/** For each length of a beginning of the run, how long an end of it is a beginning, too. */
function fallbacks(run: ArrayLike<string>): number[] {
  const backs = [0];
  let matched = 0;
  for (let place = 1; place < run.length; place++) {
    while (matched > 0 && run[matched] !== run[place]) matched = backs[matched - 1]!;
    if (run[matched] === run[place]) matched += 1;
    backs.push(matched);
  }
  return backs;
}
