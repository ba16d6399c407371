import { useEffect, useState } from 'react';
import { mentionAt, writeMention } from '@codelab/client/view';
import type { Choice } from '../port/port-facts.js';
import { useFacts, usePort } from '../port/session-context.js';

/** Something that can stand where the cursor is. */
export interface Candidate {
  /** What is put into the text. */
  readonly insert: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** It may go on: a folder. */
  readonly goesOn: boolean;
}

/** What the text before the cursor may become. */
export interface Completion {
  readonly start: number;
  readonly end: number;
  readonly candidates: readonly Candidate[];
}

const MAX_CANDIDATES = 50;
const NO_COMMANDS: readonly Choice[] = [];

/** Commands of the host at the beginning of a message, and paths of the workspace behind an `@`. */
export function useCompletion(text: string, cursor: number): Completion | undefined {
  const commands = useFacts((facts) => facts.commands ?? NO_COMMANDS);
  const mention = mentionAt(text, cursor);
  const paths = usePaths(mention?.path);
  const word = /^\/[\w:-]*$/.exec(text.slice(0, cursor))?.[0];
  if (word !== undefined && !/^\S/.test(text.slice(cursor))) {
    const candidates = commands.filter(({ value }) => toCommand(value).startsWith(word)).slice(0, MAX_CANDIDATES);
    return candidates.length === 0
      ? undefined
      : {
          start: 0,
          end: cursor,
          candidates: candidates.map(({ value, label, detail }) => ({
            insert: `${toCommand(value)} `,
            label: label ?? toCommand(value),
            detail,
            goesOn: false,
          })),
        };
  }
  if (mention === undefined || paths.length === 0) return undefined;
  return { start: mention.start, end: cursor, candidates: paths.flatMap(toCandidate) };
}

const toCommand = (value: string): string => (value.startsWith('/') ? value : `/${value}`);

function toCandidate(path: string): readonly Candidate[] {
  const written = writeMention(path);
  if (written === undefined) return [];
  const goesOn = path.endsWith('/');
  return [{ insert: goesOn ? written : `${written} `, label: path, goesOn }];
}

interface Found {
  readonly path: string;
  readonly paths: readonly string[];
}

const NO_PATHS: readonly string[] = [];

/** Paths that begin so, as the host finds them; until the answer comes those that are known. */
function usePaths(path: string | undefined): readonly string[] {
  const port = usePort();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (path === undefined || port.completePath === undefined) return undefined;
    let isWanted = true;
    port.completePath(path).then(
      (paths) => isWanted && setFound({ path, paths: paths.slice(0, MAX_CANDIDATES) }),
      () => undefined, // then there is nothing to choose from
    );
    return () => {
      isWanted = false;
    };
  }, [path, port]);
  if (path === undefined || found === undefined) return NO_PATHS;
  if (found.path === path) return found.paths;
  return found.paths.filter((known) => known.startsWith(path));
}
