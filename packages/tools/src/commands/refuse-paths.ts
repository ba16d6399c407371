import { joinPath, placesOf, type Directories } from './parse/directories.js';

/** Directories of the system whose content is never a project's. */
const SYSTEM = /^\/(usr|etc|s?bin|lib(32|64|x32)?|boot|sys|proc|dev|system|library|windows)(\/|$)/i;

/** Directories that are somebody's as a whole. */
const WHOLE = /^\/(var|home|root|opt|srv|run|mnt|media|users|applications|volumes|private|nix|snap|(home|users)\/[^/]+)?$/i;

/** `~`, `~me`, `$HOME` and what matches all in them. */
const HOME = /^(~[^/]*|\$HOME|\$\{HOME[^}]*\}|%USERPROFILE%)(\/[*.?]*)*$/;

/** What matches all, or the hidden ones, in a directory. */
const ALL = /\/[*.?]+$/;

/** `/u*` and its like. */
const GLOB_AT_ROOT = /^\/[^/*?[{]*[*?[{][^/]*$/;

/** A drive, or a directory of Windows on it. */
const DRIVE = /^[a-z]:[\\/]*([*.?]*|(windows|users|program files.*)([\\/].*)?)$/i;

/** Variants of a word with simple braces, as `/{usr,etc}`. */
const withoutBraces = (word: string): readonly string[] => {
  const found = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(word);
  return found === null || /\$$/.test(found[1]!) ? [word] : found[2]!.split(',').map((piece) => found[1]! + piece + found[3]!);
};

const isVital = (path: string): boolean =>
  SYSTEM.test(path) || WHOLE.test(path) || WHOLE.test(path.replace(ALL, '')) || GLOB_AT_ROOT.test(path);

/** Whether a word names the system, a whole home or a whole disk. `word` is as it is written where only the shell knows it. */
export const namesVital = (word: string, directories: Directories): boolean =>
  withoutBraces(word).some((variant) => HOME.test(variant) || DRIVE.test(variant) || placesOf(directories, variant).some(isVital));

/** Whether a word names a file of the system by itself, whatever is done to its directory. */
export const namesSystemFile = (word: string, directories: Directories): boolean =>
  withoutBraces(word).some((variant) => placesOf(directories, variant).some((path) => SYSTEM.test(path)));

/** Devices that are no hardware. */
const HARMLESS_DEVICE = /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/;

/** Whether writing to a path reaches hardware or the accounts of the system. */
export function findVitalTarget(word: string): string | undefined {
  const path = joinPath('', word);
  if (HARMLESS_DEVICE.test(path)) return undefined;
  if (/^\/dev\//.test(path)) return `writes to the device ${path}`;
  if (/^\/(proc|sys|boot)\//.test(path)) return `writes to the kernel's ${path}`;
  return /^\/(private\/)?etc\/(passwd|shadow|sudoers|group|gshadow)/.test(path) ? `writes the accounts of the system` : undefined;
}
