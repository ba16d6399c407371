import { CommandError } from '../../core/command-error.js';
import { isNewEnough, type ProgramPlan } from '../../core/programs/plan-program.js';
import type { ProgramNeed } from '../../core/programs/program-need.js';
import { installPackages, type FetchProgram } from './run-apt.js';
import { findProgram, planPrograms, type PlannedProgram } from './plan-programs.js';
import { unpackPackages } from './unpack-packages.js';
import { programsDirectory } from './program-path.js';
type Fetched = PlannedProgram & { readonly plan: Extract<ProgramPlan, { kind: 'fetch' }> };

export interface FetchSettings {
  readonly dataDir: string;
  /** Hears what is about to be done, and which wanted program will be missing. */
  readonly say: (text: string) => void;
}

/**
 * Does what `planPrograms` decided: on Debian and its kin missing programs are installed (as root), or unpacked into the data directory (as
 * anybody else). Throws a sentence about each required one that can't be had; a wanted one that can't is only told of.
 */
export async function fetchPrograms(needs: readonly ProgramNeed[], { dataDir, say }: FetchSettings): Promise<void> {
  const planned = (await planPrograms(needs.filter(({ use }) => use !== 'unused'))).filter(({ plan }) => plan.kind !== 'present');
  const problems = planned.flatMap(({ need, plan }) => (plan.kind === 'lacking' ? [{ need, why: plan.lack }] : []));
  const wrong = problems.filter(({ need }) => need.use === 'required');
  if (wrong.length > 0) throw new CommandError(wrong.map(toSentence).join('\n')); // before anything is changed
  const fetched = planned.filter((each): each is Fetched => each.plan.kind === 'fetch');
  if (fetched.length > 0) problems.push(...(await fetchAll(fetched, { dataDir, say })));
  const failed = problems.filter(({ need }) => need.use === 'required');
  if (failed.length > 0) throw new CommandError(failed.map(toSentence).join('\n'));
  for (const problem of problems) say(toSentence(problem));
}

interface Problem {
  readonly need: ProgramNeed;
  readonly why: string;
}

async function fetchAll(fetched: readonly Fetched[], { dataDir, say }: FetchSettings): Promise<readonly Problem[]> {
  const way = fetched[0]!.plan.way; // one machine, one way
  const packages = fetched.map(({ plan }) => plan.packageName).join(' ');
  if (way === 'install') say(`Not installed: ${packages}. Installing with apt-get …`);
  else say(`Not installed: ${packages}. Getting them with apt-get, without root, into ${programsDirectory(dataDir)} …`);
  const problems: Problem[] = [];
  const fetchEach = async (fetch: FetchProgram) => {
    for (const { need, plan } of fetched) {
      const why = await fetch(need.name, plan.packageName).then(
        () => undefined,
        (error: Error) => `could not be fetched with apt-get (${error.message})`,
      );
      const found = await findProgram(need);
      if (found && isNewEnough(need, found.version)) continue;
      problems.push({
        need,
        why: why ?? (found ? `${found.version} is too old` : `does not start, though ${plan.packageName} was installed`),
      });
    }
  };
  await (way === 'install' ? installPackages(fetchEach) : unpackPackages(programsDirectory(dataDir), fetchEach));
  return problems;
}

function toSentence({ need: { name, use, purpose, remedy }, why }: Problem): string {
  return `${name} is ${use === 'required' ? 'needed' : 'wanted'} (${purpose}) and ${why}: ${remedy}.`;
}
