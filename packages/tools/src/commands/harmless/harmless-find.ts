import { findOperandFault } from '../parse/operand-fault.js';
import type { HarmlessCall } from './harmless-options.js';

/** Tests and actions of `find` that neither write nor run anything. */
const ALONE = new Set([
  '(',
  ')',
  '!',
  ',',
  '-not',
  '-o',
  '-or',
  '-a',
  '-and',
  '-empty',
  '-print',
  '-print0',
  '-prune',
  '-depth',
  '-xdev',
  '-mount',
  '-true',
  '-false',
  '-readable',
  '-executable',
  '-daystart',
]);
const VALUED = new Set([
  '-name',
  '-iname',
  '-path',
  '-ipath',
  '-wholename',
  '-regex',
  '-iregex',
  '-regextype',
  '-type',
  '-maxdepth',
  '-mindepth',
  '-size',
  '-mtime',
  '-mmin',
  '-ctime',
  '-cmin',
  '-atime',
  '-amin',
  '-perm',
  '-user',
  '-group',
  '-links',
]);

/** Judges the words after `find`: it lists names, does not follow links, and does nothing to what it finds. */
export function judgeHarmlessFind(words: readonly string[]): HarmlessCall {
  const begin = words.findIndex((word) => /^[-(!,]/.test(word));
  const places = words.slice(0, begin < 0 ? undefined : begin);
  for (const place of places) {
    const fault = findOperandFault(place);
    if (fault !== undefined) return { ok: false, fault };
  }
  for (let at = begin < 0 ? words.length : begin; at < words.length; at += 1) {
    const word = words[at]!;
    if (VALUED.has(word)) at += 1;
    else if (!ALONE.has(word)) return { ok: false, fault: `find ${word} is not known to be harmless` };
  }
  return { ok: true, options: new Map(), operands: places, paths: places };
}
