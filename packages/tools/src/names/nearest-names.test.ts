import { expect, test } from 'vitest';
import { nearestNames } from './nearest-names.js';

const NAMES = ['gpt-5.4', 'gpt-5.4-mini', 'claude-sonnet-4-5', 'claude-opus-4-5', 'offline', 'local'];

test.each([
  ['gpt-5.3', ['gpt-5.4', 'gpt-5.4-mini']],
  ['claude-sonet-4-5', ['claude-sonnet-4-5', 'claude-opus-4-5']],
  ['OFLINE', ['offline']],
  ['완전히 다른 것', []],
])('nearest to %j are %j', (wanted, expected) => {
  expect(nearestNames(wanted, NAMES)).toEqual(expected);
});
