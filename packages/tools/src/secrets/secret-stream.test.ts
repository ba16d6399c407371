import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { noise, pem, SAMPLES, textOf } from './__fixtures__/secret-samples.js';
import { maskSecrets } from './mask-secrets.js';
import { SecretStream } from './secret-stream.js';

const NONE = new Set<string>();
const streamed = (chunks: readonly string[], allowed: ReadonlySet<string> = NONE): string => {
  const stream = new SecretStream(allowed);
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end();
};
const cut = (text: string, sizes: readonly number[]): string[] => {
  const chunks: string[] = [];
  for (let at = 0, next = 0; at < text.length; next += 1) {
    const size = sizes[next % sizes.length]!;
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
};

test.each(SAMPLES.map((sample) => [sample[0], sample[1].slice(0, 16), sample] as const))(
  verifies('L1:secrets-streamed', 'a key that is cut anywhere in an output is masked') + ': %s %s',
  (_kind, _title, sample) => {
    const text = `first\n${textOf(sample)}\nlast`;
    const { text: whole, found } = maskSecrets(text, NONE);
    for (let at = 0; at <= Math.min(text.length, 90); at += 1) expect(streamed([text.slice(0, at), text.slice(at)])).toBe(whole);
    expect(streamed([...text])).toBe(whole);
    const stream = new SecretStream(NONE);
    stream.push(text);
    stream.end();
    expect(stream.found).toEqual(found);
  },
);

test(verifies('L1:secrets-streamed', 'a key that follows a token at once is masked whole, also behind a key that was cut off'), () => {
  const key = pem(4);
  const token = `sk-ant-oat01-${noise('base64url', 91)}AA`;
  for (const text of [token + key, pem(4).slice(0, 200) + token + key]) {
    const { text: whole } = maskSecrets(text, NONE);
    expect(whole).not.toContain(key.split('\n')[1]);
    for (const size of [1, 7, 90]) expect(streamed(cut(text, [size]))).toBe(whole);
  }
});

test('pieces of any size give what the whole gives', () => {
  const part = fc.oneof(
    fc.constantFrom(...SAMPLES.map(textOf), ...SAMPLES.map(([, secret]) => secret), pem(4).slice(0, 200), `-----${'BEGIN'} RSA PRIVATE`),
    fc.constantFrom('\n', ' ', '', '....', '-----', '"', ',', 'plain words\n', '\\n', 'ghp_', '://', 'AKIA', '\u001b[31m'),
    fc.string({ maxLength: 20 }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
      (parts, sizes) => {
        const text = parts.join('');
        expect(streamed(cut(text, sizes))).toBe(maskSecrets(text, NONE).text);
      },
    ),
    { numRuns: 300 },
  );
});

test('a key longer than what is kept is masked to its end, in pieces of any size', () => {
  const key = pem(3_000);
  const text = `a\n${key}\nb\n`;
  const whole = maskSecrets(text, NONE).text;
  for (const line of key.split('\n').slice(1, -1)) expect(whole).not.toContain(line);
  for (const size of [1_000, 65_536, 100_000]) expect(streamed(cut(text, [size]))).toBe(whole);
});

test('what it keeps back is bounded, and plain output is not kept back', () => {
  const stream = new SecretStream(NONE);
  let kept = 0;
  for (const chunk of ['word'.repeat(1_000), `-----${'BEGIN'} RSA PRIVATE KEY-----\n`, `${noise('base64', 4_000)}\n`]) {
    for (let times = 0; times < 100; times += 1) {
      kept += chunk.length - stream.push(chunk).length;
      expect(kept).toBeLessThan(600_000);
    }
  }
  const plain = new SecretStream(NONE);
  expect(plain.push('compiling a.ts\n')).toBe('compiling a.ts\n');
  expect(plain.push('.....')).toBe('.....');
  expect(plain.push(' 12%')).toBe(' ');
  expect(plain.push('\n')).toBe('12%\n');
});

test('an allowed secret goes through whole', () => {
  const text = `token ${`ghp_${noise('base62', 36)}`} and more`;
  const [secret] = maskSecrets(text, NONE).found;
  expect(streamed([...text], new Set([secret!.fingerprint]))).toBe(text);
});
