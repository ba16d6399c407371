/**
 * What the guard rails measure, per package and app: `pnpm sizes`. Tests are not counted. The limits stand in
 * tests/architecture/structure.test.ts.
 */
import { byFolder, groupBy, measureSources, quantile } from './measure-sources.mjs';

function row(name, files) {
  const lines = files.map(({ lines: count }) => count);
  const largest = files.toSorted((a, b) => b.lines - a.lines)[0];
  const [folder, inside] = [...byFolder(files)].toSorted(([, a], [, b]) => b.length - a.length)[0];
  const sum = lines.reduce((all, count) => all + count, 0);
  const below = (path) => (path.startsWith(`${name}/`) ? path.slice(name.length + 1) : path);
  return {
    ...{ name, files: files.length, lines: sum, median: quantile(lines), p90: quantile(lines, 0.9) },
    ...{ largest: `${largest.lines} ${below(largest.path)}`, 'fullest folder': `${inside.length} ${below(folder)}` },
  };
}

const files = measureSources();
const parts = groupBy(files, ({ path }) =>
  path
    .split('/')
    .slice(0, /^(apps|packages)\//.test(path) ? 2 : 1)
    .join('/'),
);
const rows = [...[...parts].map(([name, inside]) => row(name, inside)), row('all', files)];
const columns = Object.keys(rows[0]);
const widths = columns.map((column) => Math.max(column.length, ...rows.map((cells) => String(cells[column]).length)));
const show = (cells) =>
  console.log(
    columns
      .map((column, i) => String(cells[column]).padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  );
show(Object.fromEntries(columns.map((column) => [column, column])));
for (const cells of rows) show(cells);
