import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noise, pem, SAMPLES, textOf } from './__fixtures__/secret-samples.js';
import { findSecrets } from './find-secrets.js';
import { explainMask, findMask } from './mask.js';
import { maskSecrets } from './mask-secrets.js';

const NONE = new Set<string>();
const mask = (text: string): string => maskSecrets(text, NONE).text;
const fingerprint = (secret: string): string => createHash('sha256').update(secret).digest('hex').slice(0, 12);

test.each(SAMPLES.map((sample) => [sample[0], sample[1].slice(0, 24), sample] as const))(
  verifies('L1:secrets-masked', 'a key of a known shape never reaches a model') + ': %s %s',
  (kind, _title, sample) => {
    const [, secret] = sample;
    const text = textOf(sample);
    const masked = maskSecrets(text, NONE);
    expect(masked.text).toBe(text.replace(secret, () => `[secret ${kind} ${fingerprint(secret)}]`));
    expect(masked.found).toEqual([{ kind, fingerprint: fingerprint(secret) }]);
    for (const around of [
      `"${secret}"`,
      `(${secret})`,
      `${secret}\n`,
      `a\\n${secret}\\n`,
      `\u001b[32m${secret}\u001b[0m`,
      `x=${secret}&`,
      `\u001b(B${secret}\n`,
      ...['\\u001b[1;32m', '\\x1b[32m', '\\033[32m', '\\e[0;1;31m', '_'].map((before) => `${before}${secret}\n`),
    ]) {
      if (sample[2] === undefined) expect(mask(around)).not.toContain(secret.slice(8));
    }
  },
);

test(verifies('L1:secrets-allowed', 'a secret that the human allows is shown, and no other one'), () => {
  const [one, other] = [`ghp_${noise('base62', 36, 1)}`, `ghp_${noise('base62', 36, 2)}`];
  const masked = maskSecrets(`${one} ${other} ${other}`, new Set([fingerprint(one)]));
  expect(masked.text.startsWith(`${one} [secret github-token`)).toBe(true);
  expect(masked.found).toEqual([{ kind: 'github-token', fingerprint: fingerprint(other) }]);
});

test('a token of ours is found in the emphasis of Markdown and before a dash', () => {
  const secret = `cl_${noise('base64url', 43)}`;
  for (const around of [`_${secret}_`, `**${secret}**`, `${secret}- revoked`, `__${secret}__`]) expect(mask(around)).not.toContain(secret);
  expect(mask(`decl_${noise('base64url', 60)}`)).not.toContain('[secret');
});

test('a secret of AWS next to its key id is found without a name', () => {
  const secret = noise('base64', 40, 9);
  expect(mask(`AKIA${noise('base32', 16)},${secret}\n`)).not.toContain(secret);
});

test('a private key is found whole in whatever a program prints before its lines', () => {
  const key = pem();
  const lines = key.split('\n').slice(1, -1);
  const shapes = [
    key.split('\n').join('\r\n'),
    key.split('\n').join('\\n'),
    key.split('\n').join('\\\\n'),
    key.replaceAll('\n', ' '),
    key
      .split('\n')
      .map((line, index) => `${String(index)}:${line}`)
      .join('\n'),
    key
      .split('\n')
      .map((line) => `deploy/some/key.txt-12-${line}`)
      .join('\n'),
    key
      .split('\n')
      .map((line) => `-${line}`)
      .join('\n'),
    key
      .split('\n')
      .map((line) => `  "${line}\\n" +`)
      .join('\n'),
    key.replace('KEY-----\n', 'KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n'),
    key.replaceAll('RSA PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'),
  ];
  for (const shape of shapes) {
    const masked = mask(`before\n${shape}\nafter`);
    for (const line of lines) expect(masked).not.toContain(line);
    expect(masked).toMatch(/^before\n/);
    expect(masked).toMatch(/\nafter$/);
  }
});

test('of a private key that was cut off what is there is masked, and nothing else', () => {
  const head = pem().split('\n').slice(0, 6);
  const masked = mask(`${head.join('\n')}\n\nand so on, ${'plain words follow here. '.repeat(40)}`);
  for (const line of head.slice(1)) expect(masked).not.toContain(line);
  expect(masked).toContain('and so on');
});

test('a private key beyond 64 K characters is masked to its end', () => {
  const key = pem(3_000);
  const masked = mask(key);
  for (const line of key.split('\n').slice(1, -1)) expect(masked).not.toContain(line);
  expect(masked.length).toBeLessThan(400);
});

test(verifies('L1:secrets-only', 'hashes, ids, images and code that speaks of keys are no secrets'), () => {
  const base64 = noise('base64', 4_000);
  const plain = [
    noise('hex', 40),
    noise('hex', 64),
    '123e4567-e89b-42d3-a456-426614174000',
    `sha512-${noise('base64', 86)}==`,
    `data:image/png;base64,${base64}`,
    `"integrity": "sha1-${noise('base64', 27)}="`,
    `const begin = '-----${'BEGIN'} RSA PRIVATE KEY-----', end = '-----END RSA PRIVATE KEY-----';`,
    `-----${'BEGIN'} CERTIFICATE-----\n${base64.slice(0, 64)}\n-----END CERTIFICATE-----`,
    `-----${'BEGIN'} PUBLIC KEY-----\n${base64.slice(0, 64)}\n-----END PUBLIC KEY-----`,
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'AKIAIOSFODNN7EXAMPLE and AKIAXXXXXXXXXXXXXXXX',
    'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'https://${user}:${password}@host/ https://user:password@host/ postgres://postgres:postgres@localhost/',
    'http://host:8080/a@b and git@github.com:a/b.git and https://host/x:y@z',
    'the task-management-of-very-long-names-and-disk-usage risk-assessment-in-many-words-of-a-title',
    'eyJ.a.b eyJhIjoxfQ.eyJhIjoxfQ.c2lnbmF0dXJlMTIzNDU2Nzg5',
    'gsk_helper npm_config_registry hf_hub_download SKIPPED SG.a.b',
    'import { a } from "packages/protocol/src/frames/definitions/of/a/long/path/index"',
  ].join('\n');
  expect(findSecrets(plain).secrets.map(({ start, end }) => plain.slice(start, end))).toEqual([]);
  expect(maskSecrets(plain, NONE).text).toBe(plain);
});

test('the source of this repository holds none', () => {
  const root = join(import.meta.dirname, '../../../..');
  const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.json', '*.yaml', '*.lua', '*.md', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  const found = files
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return findSecrets(text).secrets.map(({ kind, start, end }) => `${file}: ${kind} ${text.slice(start, Math.min(end, start + 40))}`);
    });
  expect(found).toEqual([]);
});

/** Texts that make a careless pattern try again and again; each is a unit that is repeated. */
const HOSTILE = [
  'eyJ', 'eyJ.', 'eyJa.eyJa.', '.eyJaaaaaaaaaaaa', '://', '://a:', '://a:b', 'sk-', 'SK', 'ghs_1_eyJ', 'xoxb-', 'AKIA', 'AKIA2222222222222222 ',
  'AccountKey=', `-----${'BEGIN'} `, `-----${'BEGIN'} RSA PRIVATE KEY-----`, `-----${'BEGIN'} RSA PRIVATE KEY-----\n${noise('base64', 64)}\n`,
  'a', 'aB3/', '1234567890:AA', 'secret_access_key = ', '\\n', '"', 'glpat-', 'sk-ant-api03-', 'SG.', ' ',
]; // oxfmt-ignore

const cpuMs = (work: () => void): number => {
  const times = Array.from({ length: 2 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
};

test.each(HOSTILE)('work grows with the length and no faster: %j', (unit) => {
  const short = unit.repeat(Math.ceil(8_192 / unit.length));
  const long = unit.repeat(Math.ceil((16 * 8_192) / unit.length));
  expect(cpuMs(() => findSecrets(long))).toBeLessThan(
    80 *
      Math.max(
        1,
        cpuMs(() => findSecrets(short)),
      ),
  );
});

test('a mask is known again, and what a model reads of it says how to go on', () => {
  const text = `a\n${mask(`key = ghp_${noise('base62', 36)}`)}\n`;
  const found = findMask(text);
  expect(found).toMatch(/^[0-9a-f]{12}$/);
  expect(explainMask('src/a.ts', found!)).toContain(`src/a.ts: the content holds a mask "[secret … ${found!}]"`);
  for (const none of ['', '[secret]', '[secret of mine]', 'secret github-token 0123456789ab']) expect(findMask(none)).toBeUndefined();
});
