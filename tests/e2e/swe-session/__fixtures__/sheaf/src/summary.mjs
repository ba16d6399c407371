/** How many of the most frequent values are told. */
const MOST_FREQUENT = 3;

/** What is in each column: how many values, how many of them differ, the smallest and largest number, the most frequent values. */
export function summarise(records) {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return Object.fromEntries(names.map((name) => [name, summariseColumn(records.map((record) => record[name]))]));
}

function summariseColumn(values) {
  const present = values.filter((value) => value !== undefined && value !== '');
  const numbers = present.filter((value) => typeof value === 'number');
  const counts = new Map();
  for (const value of present) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_FREQUENT);
  return {
    values: present.length,
    different: counts.size,
    ...(numbers.length > 0 && { smallest: Math.min(...numbers), largest: Math.max(...numbers) }),
    frequent: frequent.map(([value, count]) => ({ value, count })),
  };
}
