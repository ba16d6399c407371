import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from '@jest/globals';
import { CLIENT_FRAMES, schemaOf, type Body } from '../src/index.js';
import { goodFrames } from './corpus.js';

const withoutNulls = (frame: Record<string, unknown>): object =>
  Object.fromEntries(Object.entries(frame).filter(([, value]) => value !== null));

test.each(goodFrames())('the published schema takes: $name', ({ text }) => {
  const frame = JSON.parse(text) as { type: keyof typeof CLIENT_FRAMES };
  const validate = new Ajv2020({ strict: false }).compile(schemaOf(CLIENT_FRAMES[frame.type].body as unknown as Body));
  expect(validate(withoutNulls(frame)) || validate.errors).toBe(true);
});
