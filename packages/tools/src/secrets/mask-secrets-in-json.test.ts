import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import fc from 'fast-check';
import { noise, pem, SAMPLES, textOf } from './__fixtures__/secret-samples.js';
import { maskSecretsInJson } from './mask-secrets-in-json.js';
import { maskSecrets } from './mask-secrets.js';

const NONE = new Set<string>();
const mask = (json: string): string => maskSecretsInJson(json, NONE).text;

/** JSON text of a string in which every character that `which` names is an escape. */
const escapeAll = (text: string, which: RegExp): string =>
  `"${text
    .split('')
    .map((char) => (which.test(char) ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(char).slice(1, -1)))
    .join('')}"`;

test.each(SAMPLES.map((sample) => [sample[0], sample[1].slice(0, 16), sample] as const))(
  verifies('L1:secrets-in-json', 'a key is masked however JSON escapes it, and the rest stays byte for byte') + ': %s %s',
  (_kind, _title, sample) => {
    const text = `"quoted"\t${textOf(sample)}\n\u00e9\u{1f600}`;
    const plain = maskSecrets(text, NONE);
    for (const json of [JSON.stringify(text), escapeAll(text, /[-_:/=]/), escapeAll(text, /[a-mA-M\ud83d]/)]) {
      const masked = maskSecretsInJson(`{ "a" :1.50, "text":${json}  ,"z":[ null,true , "x\\/y" ]}`, NONE);
      expect((JSON.parse(masked.text) as { text: string }).text).toBe(plain.text);
      expect(masked.text.startsWith(`{ "a" :1.50, "text":${json.slice(0, 12)}`)).toBe(true);
      expect(masked.text.endsWith('  ,"z":[ null,true , "x\\/y" ]}')).toBe(true);
      expect(masked.found).toEqual(plain.found);
    }
  },
);

test('JSON without a secret comes back byte for byte', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\n\t'), (json, space) => {
      const text = space + json + space;
      expect(maskSecretsInJson(text, NONE)).toEqual({ text, found: [] });
    }),
    { numRuns: 500 },
  );
});

test('beside a secret no byte changes', () => {
  const secret = `ghp_${noise('base62', 36)}`;
  const masked = maskSecrets(secret, NONE).text;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), fc.integer(), (strings, number) => {
      const json = (it: string): string =>
        JSON.stringify({ number, before: strings, [`it ${it}`]: `x "${it}" y`, after: strings }, null, 1);
      expect(mask(json(secret))).toBe(json(masked));
    }),
  );
});

test('the lines of a private key are masked in strings of their own, and the fields between them stay', () => {
  const lines = pem(12).split('\n');
  const json = JSON.stringify({
    matches: [{ path: 'deploy/key.txt', line: 1, text: lines[0], before: ['# key'], after: lines.slice(1, 11) }],
    more: [{ path: 'deploy/key.txt', line: 12, text: lines[11], before: [], after: lines.slice(12) }],
    truncated: false,
  });
  const masked = mask(json);
  for (const line of lines.slice(1, -1)) expect(masked).not.toContain(line);
  const read = JSON.parse(masked) as { matches: { path: string; before: string[]; after: string[] }[]; truncated: boolean };
  expect(read.matches[0]).toMatchObject({ path: 'deploy/key.txt', line: 1, before: ['# key'] });
  expect(read.matches[0]!.after).toHaveLength(10);
  expect(read.truncated).toBe(false);
});

test('the two halves of an AWS key are found in fields of their own', () => {
  const secret = noise('base64', 40, 4);
  expect(mask(JSON.stringify({ AccessKeyId: 'x', SecretAccessKey: secret }))).not.toContain(secret);
  expect(mask(JSON.stringify({ 'Secret access key': secret }))).not.toContain(secret);
});

test.each(['not json ', '{"a":"open ', '{"a": ', '"x" '])('what is no JSON is masked as a text: %s', (text) => {
  const secret = `ghp_${noise('base62', 36)}`;
  expect(mask(text + secret)).toBe(maskSecrets(text + secret, NONE).text);
  expect(mask(text + secret)).not.toContain(secret);
});

test('many secrets in one long string take no longer each', () => {
  const secrets = Array.from({ length: 4_000 }, (_, index) => `ghp_${noise('base62', 36, index)}`);
  const masked = mask(JSON.stringify({ text: secrets.join('\n"é') }));
  expect((JSON.parse(masked) as { text: string }).text.match(/\[secret github-token /g)).toHaveLength(4_000);
});

test('base64 of an image is left alone, whatever it looks like; what only begins like one is not', () => {
  const secret = `AIza${noise('base64', 35, 3).replace(/[+/]/g, 'x')}`;
  const image = `iVBORw0KGgo${noise('base64', 400)} ${secret}`.replace(' ', '/');
  const json = JSON.stringify({ outputs: [{ type: 'image/png', data: image }] });
  expect(maskSecretsInJson(json, new Set()).text).toBe(json);
  for (const text of [`iVBORw0KGgo ${noise('base64', 400)} ${secret}`, `iVBORw0KGgo/${secret}`])
    expect(maskSecretsInJson(JSON.stringify({ text }), new Set()).found).toHaveLength(1);
});
