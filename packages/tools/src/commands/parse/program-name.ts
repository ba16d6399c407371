import { joinPath } from './directories.js';

/** Directories whose programs are the system's. */
const SYSTEM = /^\/(usr\/(local\/)?)?s?bin\/[^/]+$/;

/** A program as tables name it: without directory and suffix, in lower case, for file systems that don't tell cases apart. */
export const programName = (word: string): string =>
  word
    .split(/[\\/]/)
    .at(-1)!
    .toLowerCase()
    .replace(/\.(exe|com|cmd|bat)$/, '');

/** A path to a program of the workspace, or of anywhere that isn't the system's: its name says nothing about what it does. */
export const isForeignProgram = (word: string): boolean => /[\\/]/.test(word) && !(word.startsWith('/') && SYSTEM.test(joinPath('', word)));

/** Exactly the program that a table means, found by the `PATH` or in the system's directories. */
export const isSystemProgram = (word: string): boolean =>
  word === programName(word) || ((word.startsWith('/bin/') || word.startsWith('/usr/bin/')) && word.endsWith(`/${programName(word)}`));
