import { firstOfEach } from '../grouping.js';
import { logged } from '../merged-log.js';
import type { Promised } from '../violation.js';

export const nothingIsLost: Promised = {
  name: 'nothing-is-lost',
  says: 'A message that was accepted goes into exactly one turn, unless the store lost it or somebody took it out.',
  *judge(story) {
    const ends = logged(story, 'turn_ended');
    const turnsOf = new Map<string, string[]>();
    for (const { session, frame } of ends)
      for (const id of frame['message_ids'] as string[])
        turnsOf.set(`${session} ${id}`, [...(turnsOf.get(`${session} ${id}`) ?? []), String(frame['turn_id'])]);
    const emptied = new Set(
      story.said.filter(({ frame }) => frame.type === 'cancel' && frame['queue'] === true).map(({ session }) => session),
    );
    const accepted = firstOfEach(
      story.told.filter(({ type }) => type === 'message_accepted'),
      ({ session, frame }) => `${session} ${String(frame['message_id'])}`,
    );
    for (const told of accepted) {
      const { session, frame, at, index, epoch } = told;
      const message = `${session} ${String(frame['message_id'])}`;
      const turns = new Set(turnsOf.get(message) ?? []);
      if (turns.size > 1 && !story.lostSomething) yield { text: `${message} is in ${String(turns.size)} turns`, at, events: [index] };
      if (turns.size > 0 || emptied.has(session) || story.settledAt === Infinity) continue;
      // The log goes on in the life in which it was accepted: then nobody was told of a loss.
      const isUntold = epoch !== undefined && epoch === story.lastEpoch(session) && story.isSureOfEpoch(told);
      if (isUntold || !story.mayDoubtStore) yield { text: `${message} was accepted and is in no turn`, at, events: [index] };
    }
  },
};
