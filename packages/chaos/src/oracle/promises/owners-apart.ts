import type { Promised } from '../violation.js';

export const ownersApart: Promised = {
  name: 'owners-apart',
  says: 'Nobody sees or moves anything of another owner’s session (S1).',
  *judge(story) {
    const words = story.canaries.filter(({ owner }) => owner !== undefined);
    const foreign = (owner: string, value: object): string | undefined => {
      const text = JSON.stringify(value);
      return words.find((word) => word.owner !== owner && text.includes(word.text))?.owner;
    };
    const ownerOfCall = new Map(story.told.filter(({ type }) => type === 'tool_call').map(({ frame, owner }) => [frame['call_id'], owner]));
    for (const { frame, owner, observer, at, index } of story.told) {
      const seen = foreign(owner, frame);
      if (seen !== undefined) yield { text: `${observer} of ${owner} is told what ${seen} said, in ${frame.type}`, at, events: [index] };
      const other = frame.type === 'error' ? owner : (ownerOfCall.get(frame['call_id']) ?? owner);
      if (other !== owner) yield { text: `${observer} of ${owner} is told ${frame.type} about a call of ${other}`, at, events: [index] };
    }
    for (const { observer, path, status = 0, answer, at, index, request } of story.of('rest')) {
      const owner = observer.startsWith('rest/') ? observer.slice('rest/'.length) : (story.observer(observer)?.owner ?? '?');
      const seen = answer === undefined ? undefined : foreign(owner, answer);
      if (seen !== undefined) yield { text: `${owner} is told what ${seen} said, by ${path}`, at, events: [index] };
      const asked: { readonly call_id?: string } | undefined = request;
      const call = asked?.call_id;
      if (call !== undefined && status < 300 && status > 0 && (ownerOfCall.get(call) ?? owner) !== owner)
        yield { text: `${owner} moved ${call} of another, by ${path}`, at, events: [index] };
    }
  },
};
