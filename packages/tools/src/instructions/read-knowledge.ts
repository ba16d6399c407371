import { createHash } from 'node:crypto';
import type { InstructionFile, WorkspaceFacts } from '@codelab/protocol';
import { parseRuleFile } from '../rules-files/parse-rule-file.js';
import { type Instruction, NO_KNOWLEDGE, type WorkspaceKnowledge } from './instruction.js';
import { readUserAgent } from './user-agent.js';

const DIGEST_DIGITS = 8;

const IN_WORKSPACE = /^(?:\.codelab|\.continue)\/(rules|agents)\//;
const OF_USER = /^(rules|agents)\//;

const kindOf = ({ path, scope }: InstructionFile): 'rules' | 'agents' | 'instructions' => {
  const [, kind] = (scope === 'user' ? OF_USER : IN_WORKSPACE).exec(path) ?? [];
  return (kind as 'rules' | 'agents' | undefined) ?? 'instructions';
};

const toInstruction = (file: InstructionFile): Instruction => {
  const { path, scope, bytes, omitted, content = '', sha256 = '' } = file;
  const digest = createHash('sha256').update(`${sha256} ${content}`).digest('hex').slice(0, DIGEST_DIGITS);
  const facts = { path, scope, bytes, omitted, digest, key: `${scope}:${path}` };
  if (kindOf(file) === 'rules') return toRule(facts, content);
  const directory = path.includes('/') && scope === 'workspace' ? path.slice(0, path.lastIndexOf('/')) : undefined;
  return { ...facts, use: directory === undefined ? 'always' : 'by_file', name: path, text: content.trim(), directory };
};

const toRule = (facts: Omit<Instruction, 'use' | 'name' | 'text'>, content: string): Instruction => {
  const { name, description, globs, regex, alwaysApply, rule } = parseRuleFile(facts.path, content);
  const isBound = globs !== undefined || regex !== undefined;
  const use = alwaysApply === true ? 'always' : isBound ? 'by_file' : alwaysApply === false ? 'on_request' : 'always';
  return { ...facts, use, name, description, text: rule, globs, regex };
};

/** Reads facts as a session keeps them. Texts that are none count as nothing known. */
export function readKnowledge(facts: string): WorkspaceKnowledge {
  if (facts === '') return NO_KNOWLEDGE;
  const { environment, files = [], undone } = JSON.parse(facts) as WorkspaceFacts;
  return {
    environment,
    undone,
    instructions: files.filter((file) => kindOf(file) !== 'agents').map(toInstruction),
    agents: files.filter((file) => kindOf(file) === 'agents').flatMap((file) => readUserAgent(file) ?? []),
  };
}
