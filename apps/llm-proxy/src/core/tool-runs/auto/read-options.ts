import { ApiError } from '@codelab/llm';
import { SESSION_ID } from '@codelab/bus';
import type { RequestHeaders } from '../../serve/route.js';

/** What a request asks for beyond an answer of a model. */
export interface ToolRunOptions {
  /** The tools of the caller's IDE are to be offered. */
  readonly useIdeTools: boolean;
  /** `auto`: calls are run here. `none`: they are passed on to the caller. */
  readonly execution: 'none' | 'auto';
  /** Rounds of tools that are run; 0: as many as it takes. */
  readonly maxToolRounds: number;
  /** The session whose IDE is meant. */
  readonly sessionId?: string;
}

/** Our fields of a request's body, in every dialect: none of them goes to an upstream. */
export const EXTENSION_FIELDS = ['use_vscode_tools', 'use_ide_tools', 'tool_execution', 'max_tool_rounds', 'session_id'] as const;

/** Names the session of a request where its body doesn't. */
export const SESSION_HEADER = 'x-codelab-session';

const DEFAULT_MAX_TOOL_ROUNDS = 10;

type Fields = Readonly<Partial<Record<(typeof EXTENSION_FIELDS)[number], unknown>>>;

const fieldsOf = (body: unknown): Fields => (typeof body === 'object' && body !== null ? body : {});
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Whether a request is more than one to a model, or says so wrongly. Never throws. */
export function asksForTools(body: unknown): boolean {
  const { tool_execution, max_tool_rounds, use_vscode_tools, use_ide_tools } = fieldsOf(body);
  const isOff = (value: unknown): boolean => !isGiven(value) || value === false;
  const passesOn = !isGiven(tool_execution) || tool_execution === 'none';
  const hasRounds = isGiven(max_tool_rounds) && !isRounds(max_tool_rounds);
  return !passesOn || hasRounds || !isOff(use_vscode_tools) || !isOff(use_ide_tools);
}

/** Reads our fields. Throws `ApiError` (`invalid_request`) that names the one that is wrong. */
export function readOptions(body: unknown, headers: RequestHeaders): ToolRunOptions {
  const fields = fieldsOf(body);
  const { tool_execution: execution = 'none', max_tool_rounds: rounds, session_id: named } = fields;
  const flags = (['use_ide_tools', 'use_vscode_tools'] as const).map((name) => readFlag(fields, name));
  if (execution !== null && execution !== 'none' && execution !== 'auto') throw wrong('tool_execution', 'must be "none" or "auto"');
  if (isGiven(rounds) && !isRounds(rounds)) throw wrong('max_tool_rounds', 'must be a whole number from 0 (no limit of its own) up');
  if (isGiven(named) && (typeof named !== 'string' || !SESSION_ID.test(named))) {
    throw wrong('session_id', 'must be 1 to 64 characters of A-Z, a-z, 0-9, _ and -');
  }
  const header = headers[SESSION_HEADER];
  const sessionId = typeof named === 'string' ? named : typeof header === 'string' && header !== '' ? header : undefined;
  return {
    useIdeTools: flags.includes(true),
    execution: execution ?? 'none',
    maxToolRounds: isRounds(rounds) ? rounds : DEFAULT_MAX_TOOL_ROUNDS,
    sessionId,
  };
}

const isRounds = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function readFlag(fields: Fields, name: 'use_ide_tools' | 'use_vscode_tools'): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw wrong(name, 'must be true or false');
  return value;
}

const wrong = (param: string, rule: string): ApiError => new ApiError('invalid_request', `${param} ${rule}.`, { param });
