import { code, count, excerpt, join } from '../phrases.js';
import type { Command, Manifest } from './manifest.js';
import type { Readme } from './read-readme.js';
import type { Survey } from './survey-files.js';

export interface Facts {
  readonly readme: Readme | undefined;
  readonly manifests: readonly Manifest[];
  readonly survey: Survey;
  /** The files that were read. */
  readonly read: readonly string[];
  /** Not all files were listed. */
  readonly isCut: boolean;
}

const MAX_FOLDERS = 10;
const MAX_HELD = 6;
const MAX_LANGUAGES = 5;
const MAX_ENTRIES = 6;

/** Says what a project is for and where to begin, in Markdown. */
export function composeOverview(facts: Facts): string {
  const { readme, manifests, survey } = facts;
  const named = manifests.find(({ name }) => name !== undefined);
  const name = readme?.title ?? named?.name;
  const purpose = manifests.find(({ description }) => description !== undefined)?.description;
  const kinds = [...new Set(manifests.map(({ kind }) => kind))].filter((kind) => kind !== 'Make');
  const what = [
    named?.name !== undefined && named.name !== name ? `package ${code(named.name)}` : '',
    named?.version ?? '',
    kinds.join(', '),
  ];
  const about = what.filter((part) => part !== '').join(', ');
  const head = `**${name ?? 'This project'}**${about === '' ? '' : ` (${about})`}${purpose === undefined ? '' : `: ${purpose}`}`;
  return [
    head,
    ...(readme?.intro !== undefined && readme.intro !== purpose ? [readme.intro] : []),
    ...commandsOf(facts),
    ...entriesOf(facts),
    ...foldersOf(survey),
    ...languagesOf(facts),
    `I put this together from ${sourcesOf(facts)}; I have not read the code. Ask me to ${code('read')} a file or to ${code('search for')} a word.`,
  ].join('\n\n');
}

const LABELS: Readonly<Record<Command['what'], string>> = {
  install: 'Install',
  build: 'Build',
  start: 'Run',
  test: 'Test',
  check: 'Check',
};

function commandsOf({ manifests, readme }: Facts): string[] {
  const found = new Map<Command['what'], string>();
  for (const { commands } of manifests) for (const { what, command } of commands) if (!found.has(what)) found.set(what, command);
  const lines = Object.entries(LABELS).flatMap(([what, label]) => {
    const command = found.get(what as Command['what']);
    return command === undefined ? [] : [`- ${label}: ${code(command)}`];
  });
  return [
    ...(lines.length === 0 ? [] : [`**How to work with it**\n\n${lines.join('\n')}`]),
    ...(readme?.start === undefined ? [] : [`From the README, under "${readme.start.heading}":\n\n${excerpt(readme.start.code)}`]),
  ];
}

function entriesOf({ manifests, survey }: Facts): string[] {
  const all = [...new Set([...manifests.flatMap(({ entries }) => entries), ...survey.entries])];
  const lines = all.slice(0, MAX_ENTRIES).map((entry) => {
    const [path = '', ...about] = entry.split(' (');
    return `- ${code(path)}${about.length === 0 ? '' : ` (${about.join(' (')}`}`;
  });
  return lines.length === 0 ? [] : [`**Entry points**\n\n${lines.join('\n')}`];
}

function foldersOf({ folders }: Survey): string[] {
  const lines = folders.slice(0, MAX_FOLDERS).map(({ name, files, role, holds }) => {
    const inner = holds.slice(0, MAX_HELD).map((held) => code(held));
    const more = holds.length > MAX_HELD ? `, … (${count(holds.length, 'folder')})` : '';
    const about = [role, count(files, 'file'), inner.length === 0 ? undefined : `in ${inner.join(', ')}${more}`];
    return `- ${code(`${name}/`)}: ${about.filter((part) => part !== undefined).join(', ')}`;
  });
  return lines.length === 0 ? [] : [`**Main folders**\n\n${lines.join('\n')}`];
}

function languagesOf({ survey, isCut }: Facts): string[] {
  const all = survey.languages.slice(0, MAX_LANGUAGES).map(({ name, files }) => `${name} (${count(files, 'file')})`);
  return all.length === 0 ? [] : [`**Languages**: ${join(all)}${isCut ? ', among the files that were listed' : ''}`];
}

function sourcesOf({ read, survey, isCut }: Facts): string {
  const list = survey.files === 0 ? [] : [`the list of ${isCut ? 'the first ' : ''}${count(survey.files, 'file')}`];
  return join([...read.map(code), ...list]);
}
