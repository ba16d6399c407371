import { marksIn } from '../../workload/script/marks.js';
import type { Promised } from '../violation.js';

interface Outcome {
  readonly result?: { readonly exit_code?: number; readonly success?: boolean };
  readonly error?: { readonly code: string };
}

/** Words of the servers and the client that say for certain that nothing was done. */
const NOTHING_DONE = new Set(['DENIED_BY_USER', 'DENIED_BY_POLICY', 'APPROVAL_TIMED_OUT', 'CLIENT_DISCONNECTED', 'APPROVAL_MISMATCH']);

export const resultsAreTrue: Promised = {
  name: 'results-are-true',
  says: 'What is reported as done was done, what is reported as refused was not, and writes are whole (R2, W2).',
  *judge(story) {
    const effects = new Map(story.of('effect').map((effect) => [`${effect.session} ${effect.mark}`, effect]));
    const argsOf = new Map(story.of('run').flatMap(({ callId, args }) => (args === undefined ? [] : [[callId, args] as const])));
    /** Whether what a mark stands for was also begun by another call, or by this one once more: then the effect is theirs. */
    const ranBeside = (name: string, mark: string, call: unknown, reported: number): boolean =>
      story
        .of('run')
        .some(
          ({ what, session, callId, args, index }) =>
            what === 'begin' && session === name && marksIn(args).includes(mark) && (callId !== call || index > reported),
        );
    if (story.settledAt === Infinity) return;
    for (const { frame, at, index, observer, session } of story.said) {
      const role = story.observer(observer)?.role;
      if (frame.type !== 'tool_result' || role !== 'executor') continue;
      const { result, error } = frame as Outcome;
      const args: { readonly command?: string; readonly path?: string } | undefined = argsOf.get(String(frame['call_id']));
      const name = session.slice(session.indexOf('/') + 1);
      for (const mark of marksIn(args)) {
        const effect = effects.get(`${name} ${mark}`);
        const leaves = args?.command?.includes('>> marks.log') === true || args?.path !== undefined;
        const isDone = result?.success === true || result?.exit_code === 0;
        if (isDone && leaves && effect === undefined)
          yield { text: `${mark} was reported as done, and is not on the disk`, at, events: [index] };
        if (error !== undefined && NOTHING_DONE.has(error.code) && effect !== undefined && !ranBeside(name, mark, frame['call_id'], index))
          yield { text: `${mark} was reported as ${error.code}, and is on the disk`, at, events: [index, effect.index] };
      }
    }
    for (const { mark, what, at, index, tool } of effects.values())
      if (tool === 'write_file' && !what.endsWith(' whole'))
        yield { text: `the file of ${mark} is not as it was written: ${what}`, at, events: [index] };
  },
};
