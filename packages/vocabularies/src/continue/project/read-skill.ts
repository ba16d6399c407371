import { defineRow } from '../../table/row.js';
import { takes } from '../../table/takes.js';
import { readNamedFile } from './named-files.js';

const SKILLS_DIRECTORY = '.codelab/skills';

/** `.codelab/skills/review.md` and `.codelab/skills/review/SKILL.md` are both `review`. */
const isSkill = (path: string): boolean => {
  const parts = path.slice(SKILLS_DIRECTORY.length + 1).split('/');
  return parts.length === 1 ? path.endsWith('.md') : parts.length === 2 && parts[1] === 'SKILL.md';
};
const skillName = (path: string): string => path.slice(SKILLS_DIRECTORY.length + 1).replace(/(\/SKILL)?\.md$/, '');

/** Reads instructions of the project for a kind of work. */
export const readSkill = defineRow<{ readonly skillName: string }>({
  name: 'read_skill',
  displayName: 'Read skill',
  description: 'Reads a skill of the project: instructions for one kind of work, from .codelab/skills. Read it before you begin such work.',
  parameters: takes(['skillName'], { skillName: { type: 'string', minLength: 1, maxLength: 80, description: 'The name of the skill.' } }),
  policy: 'ask',
  readonly: true,
  idempotency: 'safe',
  needs: ['list_files', 'read_file'],
  stands: 'read_file',
  next: ({ skillName: wanted }, outcomes, context) =>
    readNamedFile({ directory: SKILLS_DIRECTORY, isOne: isSkill, nameOf: skillName, wanted, kind: 'skill' }, outcomes, context),
});
