import { afterEach, describe, expect, test } from 'vitest';
import { maskSecretsInJson, type JsonObject } from '@codelab/tools';
import { claudeCode, textEditor } from '@codelab/vocabularies';
import { verifies } from '@codelab/testkit';
import { Uses } from './run-use.js';

const TOKEN = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${`${'MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn'.repeat(2)}\n`.repeat(6)}-----END RSA PRIVATE KEY-----`;
const FILE = `port: 8080\nhost: a\ntoken: ${TOKEN}\nname: b\nkey: |\n${KEY}\nlast: c\nend: d\n`;

let uses: Uses;
afterEach(() => uses.stop());

/** What the client and the gateway let through of a result. */
const masked = (result: JsonObject): JsonObject => JSON.parse(maskSecretsInJson(JSON.stringify(result), new Set()).text) as JsonObject;

describe(verifies('L3:hidden-secrets', 'a file that holds secrets is edited around them, and they stay'), () => {
  test.each([[[]], [['x1', 'x2', 'x3', 'x4', 'x5']]])('Edit, for a client without %j', async (without) => {
    uses = await Uses.start({ vocabulary: claudeCode, files: { 'c.yml': FILE }, without, see: masked });
    const read = await uses.use('Read', { file_path: 'c.yml' });
    expect(read.text).not.toContain(TOKEN);
    const done = await uses.use('Edit', { file_path: 'c.yml', old_string: 'name: b', new_string: 'name: x\nmore: y' });
    expect(done.text).toMatch(/^Edited .*: 1 replacement\(s\)\.[^]*\nSecrets in it are hidden from you: read it again/);
    expect(uses.read('c.yml')).toBe(FILE.replace('name: b', 'name: x\nmore: y'));
    await uses.use('Read', { file_path: 'c.yml' });
    const edits = [
      { old_string: '8080', new_string: '9090' },
      { old_string: 'last: c\n', new_string: '' },
    ];
    expect((await uses.use('MultiEdit', { file_path: 'c.yml', edits })).isError).not.toBe(true);
    expect(uses.read('c.yml')).toBe(FILE.replace('name: b', 'name: x\nmore: y').replace('8080', '9090').replace('last: c\n', ''));
  });

  test('a line with a secret is not changed', async () => {
    uses = await Uses.start({ vocabulary: textEditor, files: { 'c.yml': FILE }, see: masked });
    const edit = { command: 'str_replace', path: 'c.yml' };
    const refused = await uses.use('str_replace_based_edit_tool', { ...edit, old_str: 'token: ', new_str: 'secret: ' });
    expect(refused.text).toMatch(/^Error \[INVALID_ARGUMENTS\]: .*stands for a secret/);
    expect((await uses.use('str_replace_based_edit_tool', { ...edit, old_str: 'host: a', new_str: 'host: z' })).text).toBe(
      'Successfully replaced text at exactly one location.',
    );
    expect(uses.read('c.yml')).toBe(FILE.replace('host: a', 'host: z'));
  });
});
