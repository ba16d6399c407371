import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.js';

const MEGABYTE = 1024 * 1024;

test('bodies are held up to a total, and again once others are let go', () => {
  const budget = new BodyBudget();
  const large = 'x'.repeat(100 * MEGABYTE);
  const letGo = [budget.hold(large), budget.hold(large)];
  expect(() => budget.hold(large)).toThrow('ask again');
  budget.hold('small');
  letGo[0]!();
  expect(() => budget.hold(large)).not.toThrow();
});

test('one body has room, whatever its size', () => {
  expect(() => new BodyBudget().hold('x'.repeat(300 * MEGABYTE))).not.toThrow();
});
