import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { validateSync } from 'class-validator';
import * as fc from 'fast-check';
import { CLIENT_FRAMES } from '../src/index.js';
import { fieldsOf, type Body } from '../src/fields.js';
import { instantiate, isObject } from '../src/instantiate.js';
import { isValid } from '../src/is-valid.js';
import { badFrames, goodFrames } from './corpus.js';

type Frame = Record<string, unknown>;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const bodyOf = (frame: Frame): Body => CLIENT_FRAMES[frame['type'] as keyof typeof CLIENT_FRAMES].body;

const FRAMES = [...goodFrames(), ...badFrames()]
  .map(({ text }) => (text.length < 100_000 ? parse(text) : undefined))
  .filter((frame): frame is Frame => isObject(frame) && typeof frame['type'] === 'string' && Object.hasOwn(CLIENT_FRAMES, frame['type']));

/** All places of a frame: what it has, and what its bodies declare. */
const placesOf = (value: unknown, body?: Body): (readonly [holder: Frame, key: string])[] => {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Frame;
  const fields = body === undefined ? [] : fieldsOf(body);
  const keys = new Set([...Object.keys(holder), ...fields.map(({ name }) => name)]);
  return [...keys].flatMap((key) => {
    const shape = Array.isArray(value) ? undefined : fields.find(({ name }) => name === key)?.shape;
    const nested = shape?.kind === 'nested' ? shape.of : Array.isArray(value) ? body : undefined;
    return [[holder, key] as const, ...placesOf(holder[key], nested)];
  });
};

const LONG = 'x'.repeat(70_000);
const ODD = [
  ...[null, '', 'x', LONG, '\u{1F600}'.repeat(129), 'a'.repeat(64), -1, 0, 1, 1.5, 2 ** 53, 1e300, true],
  ...[[], {}, [null], [{}], [[]], ['x']],
];
const change = fc.record({ at: fc.nat(), value: fc.oneof(fc.constantFrom(...ODD, undefined), fc.jsonValue()) });

const judge = (frame: Frame): readonly [boolean, boolean] => {
  const instance = instantiate(bodyOf(frame), frame);
  return [isValid(instance), validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true }).length === 0];
};

test(verifies('G2:decode', 'the fast check of a frame says what class-validator says, of the corpus and of whatever it turns into'), () => {
  for (const frame of FRAMES) expect([frame, ...judge(frame)]).toEqual([frame, judge(frame)[1], judge(frame)[1]]);
  let refused = 0;
  fc.assert(
    fc.property(fc.constantFrom(...FRAMES), fc.array(change, { minLength: 1, maxLength: 3 }), (original, changes) => {
      const frame = structuredClone(original);
      for (const { at, value } of changes) {
        const places = placesOf(frame, bodyOf(original)).filter(([holder, key]) => holder !== frame || key !== 'type');
        const place = places[at % places.length];
        if (place !== undefined) place[0][place[1]] = structuredClone(value);
      }
      const [fast, slow] = judge(frame);
      if (!slow) refused += 1;
      expect(fast).toBe(slow);
    }),
    { numRuns: 3_000 },
  );
  expect(refused).toBeGreaterThan(500);
});
