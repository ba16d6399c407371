import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { CLIENT_FRAMES, decodeClientFrame, frameSchema, LIMITS, SERVER_FRAMES, type AnyDefinition } from '../src/index.js';
import { badFrames, goodFrames, type CorpusFrame } from './corpus.js';

const ajv = new Ajv2020({ strict: false });

const validators: Readonly<Record<string, ValidateFunction>> = Object.fromEntries(
  Object.entries(CLIENT_FRAMES).map(([type, definition]) => [
    type,
    ajv.compile({ ...frameSchema(definition as unknown as AnyDefinition), $schema: undefined }),
  ]),
);

/** What a schema can judge: JSON, of a type that is known, within the limits of any message. */
const isInReach = ({ text }: CorpusFrame): boolean => {
  if (Buffer.byteLength(text) > LIMITS.MAX_FRAME_BYTES) return false;
  const decoded = decodeClientFrame(text);
  return decoded.ok || (decoded.code !== 'INVALID_FORMAT' && decoded.code !== 'INVALID_TYPE' && decoded.message !== 'type is required');
};

const judge = ({ text }: CorpusFrame): { readonly decoder: boolean; readonly schema: boolean; readonly why: unknown } => {
  const frame = JSON.parse(text) as { type: string };
  const validate = validators[frame.type]!;
  return { decoder: decodeClientFrame(text).ok, schema: validate(frame), why: validate.errors };
};

test.each([...goodFrames(), ...badFrames()].filter(isInReach))(
  verifies('G2:schemas', 'the published schema says of a frame what the decoder says: $name'),
  (frame) => {
    const { decoder, schema, why } = judge(frame);
    expect({ schema, why: schema ? null : why }).toEqual({ schema: decoder, why: decoder ? null : expect.anything() });
  },
);

const REPLACEMENTS: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, 1.5, 2 ** 53, '', 'x', 'edit', 'reject', 'A'.repeat(64), 'a'.repeat(64), 'x'.repeat(300), '1-2\n'],
  ...[[], [null], ['x'], [''], [{}], {}, { x: null }],
];

/** A value with one part left out, or another one in its place: every part, and every replacement. */
function* mutate(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    const put = (other: unknown): unknown =>
      Array.isArray(value) ? value.map((item: unknown, index) => (String(index) === key ? other : item)) : { ...value, [key]: other };
    if (!Array.isArray(value)) yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    for (const other of REPLACEMENTS) yield put(other);
    for (const other of mutate(part)) yield put(other);
  }
}

/** A rule is judged by whoever keeps it, not by the decoder: the schema says what they take. */
const holdsRule = ({ text }: CorpusFrame): boolean => text.includes('"remember"');

test.each(goodFrames().filter((frame) => isInReach(frame) && !holdsRule(frame) && frame.text.length < 2_000))(
  'decoder and schema agree on every value in every place of: $name',
  ({ text }) => {
    const frame = JSON.parse(text) as Record<string, unknown>;
    for (const changed of mutate(frame)) {
      const mutant = { name: '', text: JSON.stringify(changed) };
      if (!isInReach(mutant)) continue;
      const { decoder, schema, why } = judge(mutant);
      expect({ text: mutant.text, taken: schema, why }).toEqual({ text: mutant.text, taken: decoder, why });
    }
  },
);

/** The optional fields of a frame. */
const optionalFieldsOf = (type: keyof typeof CLIENT_FRAMES): readonly string[] => {
  const { properties, required } = frameSchema(CLIENT_FRAMES[type]) as {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required: readonly string[];
  };
  return Object.keys(properties).filter((name) => !required.includes(name));
};

test.each(goodFrames().filter(isInReach))('null in the optional fields of a frame changes no verdict: $name', (corpus) => {
  const frame = JSON.parse(corpus.text) as Record<string, unknown> & { type: keyof typeof CLIENT_FRAMES };
  for (const name of optionalFieldsOf(frame.type)) {
    if (Object.hasOwn(frame, name)) continue;
    const text = JSON.stringify({ ...frame, [name]: null });
    expect([name, judge({ name, text })]).toMatchObject([name, { decoder: true, schema: true }]);
  }
});

test('no schema of a server frame takes null', () => {
  for (const definition of Object.values(SERVER_FRAMES)) {
    expect(JSON.stringify(frameSchema(definition as unknown as AnyDefinition))).not.toContain('null');
  }
});

test('every frame of the log may carry seq, prev_seq and redelivered, and no other does', () => {
  for (const definition of Object.values(SERVER_FRAMES)) {
    const { properties } = frameSchema(definition) as { readonly properties: object };
    const numbers = ['prev_seq', 'redelivered'].filter((name) => Object.hasOwn(properties, name));
    expect([definition.type, numbers]).toEqual([definition.type, definition.log ? ['prev_seq', 'redelivered'] : []]);
  }
});
