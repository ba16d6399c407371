import { findSecretReason } from '../../policy/always-ask.js';

/** Characters of a path; longer ones exist nowhere. */
const MAX_PATH = 4096;

/**
 * Why a path must not be read without a human; `undefined` for a plain relative path whose name doesn't give a secret away. That it stays inside
 * the workspace when links are followed is for the executor to see.
 */
export function findOperandFault(path: string): string | undefined {
  if (path === '') return 'an empty path';
  if (path.length > MAX_PATH) return 'a path that is too long';
  if (/^[/\\~]|^[A-Za-z]:/.test(path)) return `${path} is an absolute path`;
  if (path.includes('\\')) return `${path} has a backslash`;
  if (path.split('/').includes('..')) return `${path} leads upwards`;
  const secret = findSecretReason(path);
  return secret === undefined ? undefined : `${path}: ${secret}`;
}
