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
  const { readme } = facts;
  const sections = [commandsOf(facts), entriesOf(facts), foldersOf(facts)].filter(({ lines }) => lines.length > 0);
  const [commands] = sections;
  const start = readme?.start === undefined ? [] : [`From the README, under "${readme.start.heading}":\n\n${excerpt(readme.start.code)}`];
  const shown = sections.flatMap((section) => [
    `**${section.heading}**\n\n${section.lines.join('\n')}`,
    ...(section === commands ? start : []),
  ]);
  return [
    headOf(facts),
    ...(sections.length === 0 ? start : []),
    ...shown,
    ...languagesOf(facts),
    `I put this together from ${sourcesOf(facts)}; I have not read the code. Ask me to ${code('read')} a file or to ${code('search for')} a word.`,
  ].join('\n\n');
}

/** The beginning of a guide to a project for coding agents, in Markdown. */
export function composeGuide(facts: Facts): string {
  const { readme, manifests } = facts;
  const name = readme?.title ?? manifests.find((manifest) => manifest.name !== undefined)?.name ?? 'This project';
  const sections = [commandsOf(facts), entriesOf(facts), foldersOf(facts)].filter(({ lines }) => lines.length > 0);
  const shown = sections.map(({ heading, lines }) => `## ${heading}\n\n${lines.join('\n')}`);
  const purpose = purposeOf(facts);
  return `${[`# ${name}`, ...(purpose === undefined ? [] : [purpose]), ...introOf(facts), ...shown].join('\n\n')}\n`;
}

interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** What it is called, which kind of package it is and what it is for. */
function headOf(facts: Facts): string {
  const { readme, manifests } = facts;
  const named = manifests.find(({ name }) => name !== undefined);
  const name = readme?.title ?? named?.name;
  const kinds = [...new Set(manifests.map(({ kind }) => kind))].filter((kind) => kind !== 'Make');
  const what = [
    named?.name !== undefined && named.name !== name ? `package ${code(named.name)}` : '',
    named?.version ?? '',
    kinds.join(', '),
  ];
  const kind = what.filter((part) => part !== '').join(', ');
  const purpose = purposeOf(facts);
  const head = `**${name ?? 'This project'}**${kind === '' ? '' : ` (${kind})`}${purpose === undefined ? '' : `: ${purpose}`}`;
  return [head, ...introOf(facts)].join('\n\n');
}

const purposeOf = ({ manifests }: Facts): string | undefined => manifests.find(({ description }) => description !== undefined)?.description;

/** What the README begins with, unless that is the purpose again. */
function introOf(facts: Facts): string[] {
  const intro = facts.readme?.intro;
  return intro === undefined || intro === purposeOf(facts) ? [] : [intro];
}
const LABELS: Readonly<Record<Command['what'], string>> = {
  install: 'Install',
  build: 'Build',
  start: 'Run',
  test: 'Test',
  check: 'Check',
};

function commandsOf({ manifests }: Facts): Section {
  const found = new Map<Command['what'], string>();
  for (const { commands } of manifests) for (const { what, command } of commands) if (!found.has(what)) found.set(what, command);
  const lines = Object.entries(LABELS).flatMap(([what, label]) => {
    const command = found.get(what as Command['what']);
    return command === undefined ? [] : [`- ${label}: ${code(command)}`];
  });
  return { heading: 'How to work with it', lines };
}

function entriesOf({ manifests, survey }: Facts): Section {
  const all = [...new Set([...manifests.flatMap(({ entries }) => entries), ...survey.entries])];
  const lines = all.slice(0, MAX_ENTRIES).map((entry) => {
    const [path = '', ...about] = entry.split(' (');
    return `- ${code(path)}${about.length === 0 ? '' : ` (${about.join(' (')}`}`;
  });
  return { heading: 'Entry points', lines };
}

function foldersOf({ survey }: Facts): Section {
  const lines = survey.folders.slice(0, MAX_FOLDERS).map(({ name, files, role, holds }) => {
    const inner = holds.slice(0, MAX_HELD).map((held) => code(held));
    const more = holds.length > MAX_HELD ? `, … (${count(holds.length, 'folder')})` : '';
    const about = [role, count(files, 'file'), inner.length === 0 ? undefined : `in ${inner.join(', ')}${more}`];
    return `- ${code(`${name}/`)}: ${about.filter((part) => part !== undefined).join(', ')}`;
  });
  return { heading: 'Main folders', lines };
}

function languagesOf({ survey, isCut }: Facts): string[] {
  const all = survey.languages.slice(0, MAX_LANGUAGES).map(({ name, files }) => `${name} (${count(files, 'file')})`);
  return all.length === 0 ? [] : [`**Languages**: ${join(all)}${isCut ? ', among the files that were listed' : ''}`];
}

function sourcesOf({ read, survey, isCut }: Facts): string {
  const list = survey.files === 0 ? [] : [`the list of ${isCut ? 'the first ' : ''}${count(survey.files, 'file')}`];
  return join([...read.map(code), ...list]);
}
