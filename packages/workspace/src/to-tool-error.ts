import { TOOL_ERRORS, type ToolErrorCode } from '@codelab/protocol';
import { ToolFailure } from './tool-failure.js';

/** What a failed call answers with. */
export interface ToolError {
  readonly code: ToolErrorCode;
  readonly message: string;
}

/** What the system says, in our words; `%` is the path as the caller named it. */
const ERRNO: Readonly<Record<string, readonly [code: ToolErrorCode, message: string]>> = {
  ENOENT: ['FILE_NOT_FOUND', 'File not found: %'],
  EACCES: ['PERMISSION_DENIED', 'The system denies access to %'],
  EPERM: ['PERMISSION_DENIED', 'The system does not permit this on %'],
  EROFS: ['PERMISSION_DENIED', 'The file system of % is read-only'],
  EISDIR: ['INVALID_PATH', '% is a directory'],
  ENOTDIR: ['INVALID_PATH', 'A part of % is a file, not a directory'],
  ELOOP: ['INVALID_PATH', 'The links of % lead in a circle, or one appeared while it was opened'],
  ENAMETOOLONG: ['INVALID_PATH', 'A name in % is longer than the file system takes (255 bytes on most)'],
  EINVAL: ['INVALID_PATH', 'The file system does not take the name %'],
  EILSEQ: ['INVALID_PATH', 'The file system does not take the name %'],
  ENXIO: ['INVALID_PATH', '% is a socket or a device, not a file'],
  ENODEV: ['INVALID_PATH', '% is a device, not a file'],
  EEXIST: ['CONFLICT', '% exists already; nothing was written'],
  ENOTEMPTY: ['CONFLICT', '% is a directory with something in it'],
  EBUSY: ['PERMISSION_DENIED', '% is in use'],
  ETXTBSY: ['PERMISSION_DENIED', '% is a program that runs'],
  EFBIG: ['FILE_TOO_LARGE', '% would be larger than the file system takes'],
  ENOSPC: ['FILE_TOO_LARGE', 'No space is left on the device of %; nothing was changed'],
  EDQUOT: ['FILE_TOO_LARGE', 'The disk quota leaves no space for %; nothing was changed'],
  EMFILE: ['PERMISSION_DENIED', 'Too many files are open to open %; try again'],
  ENFILE: ['PERMISSION_DENIED', 'Too many files are open to open %; try again'],
};

/** A property of whatever was thrown; errors of other realms are no `instanceof Error`. */
const textOf = (error: unknown, name: 'code' | 'name' | 'message'): string | undefined => {
  const value = typeof error === 'object' && error !== null && name in error ? (error as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
};

const isErrnoName = (code: string | undefined): code is string => code !== undefined && /^E[A-Z0-9]+$/.test(code);

/** Whether an error is the system's answer of this name, such as `ENOENT`. */
export const isErrno = (error: unknown, ...names: readonly string[]): boolean => names.includes(textOf(error, 'code') ?? '');

/**
 * Translates whatever a tool threw into the error that its call answers with: the one place where an errno gets a code. The system's own
 * messages are left out, as their paths are absolute.
 *
 * @param about.path what the failed step was about, as the caller named it
 * @param about.signal of the call: what it was stopped with is a cancellation, unless it says `TimeoutError`
 */
export function toToolError(error: unknown, about: { readonly path?: string; readonly signal?: AbortSignal } = {}): ToolError {
  const { path = 'the file', signal } = about;
  const [code, name, message = 'no reason given'] = [textOf(error, 'code'), textOf(error, 'name'), textOf(error, 'message')];
  if (name === 'ToolFailure' && code !== undefined && Object.hasOwn(TOOL_ERRORS, code)) return { code: code as ToolErrorCode, message };
  if (name === 'TimeoutError') return { code: 'TIMEOUT', message: 'The call ran longer than its deadline and was stopped.' };
  if (name === 'AbortError' || (signal?.aborted && error === signal.reason))
    return { code: 'CANCELLED', message: 'The call was cancelled before it took effect.' };
  if (name === 'PatchError') return { code: 'PATCH_APPLY_FAILED', message: `The diff cannot be read: ${message}.` };
  const known = code !== undefined && Object.hasOwn(ERRNO, code) ? ERRNO[code] : undefined;
  if (known !== undefined) return { code: known[0], message: `${known[1].replace('%', () => path)}.` };
  if (isErrnoName(code)) return { code: 'PERMISSION_DENIED', message: `The system answers ${code} for ${path}.` };
  return { code: 'OUTCOME_UNKNOWN', message: `The tool failed in a way it should not: ${name ?? 'an unknown error'}.` };
}

/** Runs a step on one path; what the system answers becomes a failure that names the path. */
export async function about<T>(path: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!isErrnoName(textOf(error, 'code'))) throw error;
    const { code, message } = toToolError(error, { path });
    throw new ToolFailure(code, message, { cause: error });
  }
}
