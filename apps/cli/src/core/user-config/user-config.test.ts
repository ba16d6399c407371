import { expect, test } from 'vitest';
import { verifies } from '@codelab/testkit';
import { configTemplate, effectiveSettings } from './describe-settings.js';
import { parseConfigFile } from './parse-config-file.js';
import { USER_SETTINGS } from './settings.js';

const problems = (text: string): readonly string[] => {
  const parsed = parseConfigFile(text);
  return parsed.ok ? [] : parsed.problems.map((problem) => `${String(problem.line)}: ${problem.text}`);
};

test.each([
  ['theme: purple', ['1: theme is "purple": write auto, dark, light, high-contrast or none.']],
  ['# mine\nmodel: gpt-5\n\nvocabulry: agent', ['4: "vocabulry" is no setting: did you mean vocabulary?']],
  ['thoughts: yes\nhistory: "no"', ['1: thoughts is "yes": write shown or folded.', '2: history is "no": write true or false.']],
  ['gateway: codelab.example.com', ['1: gateway is "codelab.example.com": write an address such as wss://codelab.example.com.']],
  ['gateway: wss://me:secret@host', ['1: gateway is "wss://me:secret@host": write an address such as wss://codelab.example.com.']],
  ['model: [a, b]', ['1: model holds more than one value: write the name of a model.']],
  ['- theme', ['1: The file holds no settings: write lines such as `theme: light`.']],
] as const)('%j is refused with the line and what to write', (text, expected) => {
  expect(problems(text)).toEqual(expected);
});

test(verifies('H1:settings-secrets', 'a token in the file of settings is refused, and not repeated'), () => {
  const [problem = ''] = problems('token: s3cret-value');
  expect(problem).toContain('CODELAB_TOKEN_FILE');
  expect(problem).not.toContain('s3cret-value');
});

test('what is no YAML, or says one thing twice, is refused with its line', () => {
  expect(problems('theme: light\nmodel: "open')[0]).toMatch(/^[23]: /);
  expect(problems('theme: light\ntheme: dark')).toEqual(['2: Map keys must be unique.']);
});

test('an empty file, an empty value and a number are understood', () => {
  expect(parseConfigFile('')).toMatchObject({ ok: true, settings: {} });
  expect(parseConfigFile('theme:\nmodel: 4')).toEqual({ ok: true, settings: { model: '4' }, lines: { model: 2 } });
});

test('the file that tells of everything sets nothing, and everything in it is understood', () => {
  expect(parseConfigFile(configTemplate())).toMatchObject({ ok: true, settings: {} });
  const examples = configTemplate().replace(/^# ([a-z_]+: )/gm, '$1');
  const parsed = parseConfigFile(examples);
  expect(parsed.ok && Object.keys(parsed.settings)).toEqual(Object.keys(USER_SETTINGS));
});

test(verifies('R4:settings-order', 'a variable comes before the file of settings, the file before the default, and each says so'), () => {
  const file = parseConfigFile('theme: light\neditor: nvim\nmodel: gpt-5');
  const effective = file.ok ? effectiveSettings(file, { NO_COLOR: '1', EDITOR: 'nano' }) : [];
  const told = Object.fromEntries(effective.map(({ name, value, source }) => [name, `${value} (${source})`]));
  expect(told).toMatchObject({
    theme: 'none (NO_COLOR)',
    editor: 'nano (EDITOR)',
    model: 'gpt-5 (config.yaml:3)',
    thoughts: 'folded (default)',
  });
});
