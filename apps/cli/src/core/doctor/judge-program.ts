import type { ProgramPlan } from '../programs/plan-program.js';
import type { ProgramNeed } from '../programs/program-need.js';
import type { Finding } from './finding.js';

/** What `codelab chat` would find, do, or say about a program. `unpackedIn` is where it is put without root. */
export function judgeProgram({ name, use, purpose, remedy }: ProgramNeed, plan: ProgramPlan, unpackedIn: string): Finding {
  if (plan.kind === 'present') return { state: 'right', subject: name, found: plan.version === '' ? plan.path : plan.version };
  const found = `${plan.lack}; ${purpose}`;
  if (plan.kind === 'lacking') return { state: use === 'required' ? 'wrong' : 'note', subject: name, found, remedy };
  const how =
    plan.way === 'install'
      ? `\`codelab chat\` installs it with apt-get: ${plan.packageName}`
      : `\`codelab chat\` gets it with apt-get, without root, into ${unpackedIn}`;
  return { state: 'note', subject: name, found, remedy: how, fetched: true };
}
