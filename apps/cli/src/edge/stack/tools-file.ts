import { readFile } from 'node:fs/promises';
import { parseToolsFile, ToolsFileError } from '@codelab/config-file';
import { findToolsFile, type SettingsPlaces } from '@codelab/service-shell';
import type { Finding } from '../../core/doctor/findings.js';
import { sanitiseLine } from '@codelab/tools/human';
import { variables } from '../config.js';

/** What is wrong with the tools file that services started here read. */
interface ToolsFileFaults {
  readonly path: string;
  /** A sentence each, with its line. */
  readonly problems: readonly string[];
  /** Nothing of it can be read, so no runtime starts; else only the entries that are wrong are off. */
  readonly whole: boolean;
}

/** Characters of one problem: it names fields of the person's own file. */
const MAX_PROBLEM = 300;

async function readFaults(places: SettingsPlaces): Promise<ToolsFileFaults | undefined> {
  const path = findToolsFile(places);
  if (path === undefined) return undefined;
  const clean = (problems: readonly string[]): readonly string[] => problems.map((problem) => sanitiseLine(problem, MAX_PROBLEM));
  try {
    const { problems } = parseToolsFile(await readFile(path, 'utf8'), (name) => variables([name])[name]);
    return { path, problems: clean(problems), whole: false };
  } catch (error) {
    return { path, problems: clean(error instanceof ToolsFileError ? error.problems : [(error as Error).message]), whole: true };
  }
}

/** One line for whoever starts services here: entries of the tools file that are off, or that it can't be read; `undefined` where all is well. */
export async function toolsFileWarning(places: SettingsPlaces): Promise<string | undefined> {
  const faults = await readFaults(places);
  if (faults === undefined || faults.problems.length === 0) return undefined;
  const [first = '', ...others] = faults.problems;
  const what = faults.whole ? "can't be read" : 'has entries that are off';
  const more = others.length === 0 ? '' : ` (${String(others.length)} more: codelab doctor)`;
  return `The tools file ${faults.path} ${what}: ${first}${more}`;
}

/** What `codelab doctor` says of the tools file; nothing where there is none. */
export async function inspectToolsFile(places: SettingsPlaces): Promise<readonly Finding[]> {
  const faults = await readFaults(places);
  if (faults === undefined) return [];
  const { path, problems, whole } = faults;
  const subject = 'tools file';
  if (problems.length === 0) return [{ state: 'right', subject, found: path }];
  const remedy = whole ? 'no service that needs it starts until these lines are mended' : 'the other entries count';
  return problems.map((problem) => ({ state: whole ? 'wrong' : 'note', subject, found: `${path}: ${problem}`, remedy }));
}
