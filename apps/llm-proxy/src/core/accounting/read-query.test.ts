import { expect, test } from 'vitest';
import { readCount, readDays, readWord } from './read-query.js';

const NOW = { nowMs: Date.parse('2026-03-02T23:59:59Z'), most: 400 };
const days = (query: string) => readDays(new URLSearchParams(query), NOW);

test('days are those asked for; without, the last thirty', () => {
  expect(days('')).toEqual({ from: '2026-02-01', to: '2026-03-02' });
  expect(days('from=2026-02-28&to=2026-02-28')).toEqual({ from: '2026-02-28', to: '2026-02-28' });
  expect(days('to=2024-02-29')).toEqual({ from: '2024-01-31', to: '2024-02-29' });
  expect(days('from=2025-01-27')).toEqual({ from: '2025-01-27', to: '2026-03-02' });
});

test.each([
  ['from=2026-02-30', 'from'],
  ['to=2025-02-29', 'to'],
  ['to=2026-1-1', 'to'],
  ['from=yesterday', 'from'],
  ['from=2026-03-02T00:00:00Z', 'from'],
  ['from=20260302', 'from'],
  ['from=2026-03-03', 'from'],
  ['from=2025-01-26', 'from'],
  ['from=9999-12-31&to=2026-03-02', 'from'],
])('%s is refused by name', (query, param) => {
  expect(() => days(query)).toThrow(expect.objectContaining({ kind: 'invalid_request', param }));
});

test('words and counts are refused by name', () => {
  const query = (text: string) => new URLSearchParams(text);
  expect(readWord(query('group_by=day'), 'group_by', ['model', 'day'])).toBe('day');
  expect(readWord(query('group_by='), 'group_by', ['model', 'day'])).toBe('model');
  expect(() => readWord(query('group_by=x'), 'group_by', ['model', 'day'])).toThrow('group_by: must be one of model, day');
  expect(readCount(query('limit=7'), 'limit', { most: 9, usual: 5 })).toBe(7);
  for (const wrong of ['0', '10', '-1', '1.5', '1e1', 'x', '99999999999999999999']) {
    expect(() => readCount(query(`limit=${wrong}`), 'limit', { most: 9, usual: 5 })).toThrow('limit: must be a whole number from 1 to 9');
  }
});
