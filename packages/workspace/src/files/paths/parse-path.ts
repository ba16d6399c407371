import { LIMITS, type ToolErrorCode } from '@codelab/protocol';
import { ToolFailure } from '../../tool-failure.js';

/** A path that names something below the workspace by its text; whether links lead elsewhere is for the walk to find out. */
export interface WorkspacePath {
  /** Normalised: no empty and no `.` segments; `.` for the workspace itself. */
  readonly text: string;
  readonly segments: readonly string[];
}

type ParsedPath =
  | { readonly ok: true; readonly path: WorkspacePath }
  | { readonly ok: false; readonly code: Extract<ToolErrorCode, 'INVALID_PATH' | 'PATH_OUTSIDE_WORKSPACE'>; readonly message: string };

const WINDOWS_DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
// oxlint-disable-next-line no-control-regex -- names with control characters are what is looked for
const WINDOWS_FORBIDDEN = /[<>:"|?*\u0001-\u001f]/;

/** What keeps a segment from being a plain file name on Windows: a device, a stream, a character or an end that it drops. */
export function findWindowsFault(segment: string): string | undefined {
  if (WINDOWS_DEVICE.test(segment.replace(/ +(?=\.|$)/, ''))) return `"${segment}" is a device on Windows`;
  if (segment.includes(':')) return `"${segment}" names a stream, which Windows keeps beside a file`;
  if (WINDOWS_FORBIDDEN.test(segment)) return `"${segment}" has a character that Windows does not allow`;
  return /[. ]$/.test(segment) ? `"${segment}" ends in a dot or a blank, which Windows drops` : undefined;
}

const shorten = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 77)}…`);
const refuse = (code: 'INVALID_PATH' | 'PATH_OUTSIDE_WORKSPACE', message: string): ParsedPath => ({ ok: false, code, message });

/**
 * Reads a path of a call (W1): relative and `/`-separated. Absolute paths, drives, UNC paths and any `..` segment lead outside, even where
 * they would come back in; so do they with `\`, which is a separator on Windows and a mistake elsewhere.
 *
 * @param platform decides whether the rules for Windows names hold
 */
export function parsePath(text: string, platform: NodeJS.Platform = process.platform): ParsedPath {
  if (text === '') return refuse('INVALID_PATH', 'The path is empty; use "." for the workspace.');
  if (text.startsWith('codelab-log:')) return refuse('INVALID_PATH', `A log can only be read and searched: ${shorten(text)}`);
  if (text.includes('\0')) return refuse('INVALID_PATH', 'The path has a NUL character.');
  const shown = shorten(text);
  if (/^[\\/]/.test(text) || /^(\.?[\\/]+)*[a-z]:/i.test(text))
    return refuse('PATH_OUTSIDE_WORKSPACE', `The path must be relative to the workspace: ${shown}`);
  if (text.split(/[\\/]/).includes('..')) return refuse('PATH_OUTSIDE_WORKSPACE', `The path must not have ".." in it: ${shown}`);
  const { length } = [...text];
  if (length > LIMITS.MAX_PATH_CHARACTERS)
    return refuse(
      'INVALID_PATH',
      `The path has ${String(length)} characters, at most ${String(LIMITS.MAX_PATH_CHARACTERS)} are allowed: ${shown}`,
    );
  if (text.includes('\\')) return refuse('INVALID_PATH', `Directories are separated by "/", not "\\": ${shown}`);
  if (/\p{Surrogate}/u.test(text)) return refuse('INVALID_PATH', 'The path is not valid Unicode: it has a lone surrogate.');
  const segments = text.split('/').filter((segment) => segment !== '' && segment !== '.');
  const fault = platform === 'win32' ? segments.map(findWindowsFault).find((found) => found !== undefined) : undefined;
  if (fault !== undefined) return refuse('INVALID_PATH', `${fault}: ${shown}`);
  return { ok: true, path: { text: segments.length === 0 ? '.' : segments.join('/'), segments } };
}

/**
 * The path of a call, for a tool that can't go on without.
 *
 * @throws ToolFailure as {@link parsePath} refuses
 */
export function toWorkspacePath(text: string): WorkspacePath {
  const parsed = parsePath(text);
  if (!parsed.ok) throw new ToolFailure(parsed.code, parsed.message);
  return parsed.path;
}
