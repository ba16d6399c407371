import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LlmError } from '@codelab/llm';
import { Deadlines, type DeadlineOptions } from './deadlines.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(more: Partial<DeadlineOptions> = {}) {
  const over: LlmError[] = [];
  const caller = new AbortController();
  const timeouts = { connectMs: 1, firstTokenMs: 100, idleMs: 50, totalMs: 1_000 };
  const deadlines = new Deadlines({ timeouts, signal: caller.signal, onOver: (error) => void over.push(error), ...more });
  return { deadlines, over, caller, told: () => over.map(({ code, message }) => `${code}: ${message}`) };
}

test('the first token ends the first wait and begins the second; every byte begins it anew', () => {
  const { deadlines, told } = setUp();
  vi.advanceTimersByTime(99);
  deadlines.token();
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(49);
    deadlines.bytes();
  }
  expect(told()).toEqual([]);
  vi.advanceTimersByTime(50);
  expect(told()).toEqual(['timeout: The model provider took longer than 0.05 s to go on with its answer.']);
  expect(vi.getTimerCount()).toBe(0);
});

test('bytes before the first token are signs of life, no more', () => {
  const { deadlines, told } = setUp();
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(10);
    deadlines.bytes();
  }
  expect(told()).toEqual(['timeout: The model provider took longer than 0.1 s to begin to answer.']);
});

test('while nobody reads, nobody is called idle', () => {
  const { deadlines, told } = setUp();
  deadlines.token();
  deadlines.pause();
  vi.advanceTimersByTime(500);
  deadlines.goOn();
  deadlines.goOn();
  vi.advanceTimersByTime(49);
  expect(told()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told()).toHaveLength(1);
});

test('reading on before the first token starts no clock of its own', () => {
  const { deadlines, told } = setUp();
  deadlines.pause();
  deadlines.goOn();
  vi.advanceTimersByTime(60);
  expect(told()).toEqual([]);
});

test('an answer in one piece has only the whole time', () => {
  const { told } = setUp({ inOnePiece: true });
  vi.advanceTimersByTime(999);
  expect(told()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told()).toEqual(['timeout: The model provider took longer than 1 s to answer.']);
});

test('a caller who leaves ends everything, once', () => {
  const { over, caller } = setUp();
  caller.abort();
  vi.advanceTimersByTime(2_000);
  expect(over.map(({ code }) => code)).toEqual(['cancelled']);
});

test('after the end nothing is told', () => {
  const { deadlines, over, caller } = setUp();
  deadlines.end();
  caller.abort();
  deadlines.token();
  deadlines.goOn();
  expect([over, vi.getTimerCount()]).toEqual([[], 0]);
});
