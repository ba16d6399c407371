import type { Reply } from '@codelab/testkit';
import { readConversation, type Conversation } from './conversation.js';
import type { Goal } from './goal.js';
import { ERRAND, ERRAND_STORY, STORY } from './story.js';
import { wordsFor, type Words } from './words.js';

/** What a summary must not lose, as a model would see it. */
const FACTS = [/^.*DENIED_BY_USER.*$/gm, /^.*delim stands in: .*$/gm, /^.*The user changed .*$/gm];
const DONE = /Done: steps 1 to (\d+)\b/g;

/**
 * A model that knows how to do one task, and nothing of how far it is but what the request tells: a pure function of it. What it did it finds in
 * the exchanges that it is shown, and before these in its own summary; what it can't see any more it reads again, and what it finds undone it does.
 */
export function answerAsEngineer(body: Parameters<typeof readConversation>[0], n: number): Reply {
  const conversation = readConversation(body);
  if (conversation.isSummary) return { text: sumUp(conversation) };
  const words = wordsFor(conversation.tools, rootIn(conversation));
  const story = storyOf(conversation);
  const place = placeIn(story, conversation, words);
  const goals = [...story.slice(place, place + 1), ...besides(story, place + 1)];
  if (goals.length === 0) return { text: 'There is nothing left to do.' };
  const acts = goals.map((goal) => goal.act({ ...conversation, words }));
  const calls = acts.flatMap((act) => act.calls ?? []);
  return {
    text: acts.find(({ text }) => text !== undefined)?.text ?? `Next: ${goals[0]!.title}.`,
    toolCalls: calls.map(({ name, args }, at) => ({ id: `call_${String(n)}_${String(at)}`, name, arguments: JSON.stringify(args) })),
  };
}

/** The steps from this one on that are done in one answer with the one before. */
function besides(story: readonly Goal[], from: number): readonly Goal[] {
  const end = story.findIndex((goal, at) => at >= from && goal.beside !== true);
  return story.slice(from, end === -1 ? story.length : end);
}

const rootIn = ({ system }: Conversation): string => /^Workspace: (.+)$/m.exec(system)?.[1] ?? '/workspace';
const storyOf = (conversation: Conversation): readonly Goal[] => (isErrand(conversation) ? ERRAND_STORY : STORY);

/** Of the agent that was sent to look. What it is told may stand behind a note: the environment was not read in time at first, for one. */
export const isErrand = ({ told }: Conversation): boolean =>
  told.some((text) => text.includes(ERRAND)) && !told.some((text) => text.includes('Three things'));

/** How many steps of the story are done, by all that can be seen. */
function placeIn(story: readonly Goal[], { told, exchanges }: Conversation, words: Words): number {
  const [, before = '0'] = [...told.join('\n').matchAll(DONE)].at(-1) ?? [];
  return exchanges.reduce((place, exchange) => (story[place]?.reachedBy(exchange, words) ? place + 1 : place), Number(before));
}

function sumUp(conversation: Conversation): string {
  const words = wordsFor(
    conversation.exchanges.map(({ name }) => name),
    rootIn(conversation),
  );
  const place = placeIn(STORY, conversation, words);
  const seen = conversation.told.join('\n');
  const facts = FACTS.flatMap((fact) => seen.match(fact) ?? []).map((fact) => fact.slice(0, 300));
  const latest = STORY.slice(Math.max(0, place - 5), place).map(({ title }) => title);
  return [
    '## Goal\nThe three things that the user asked for.',
    `## Decisions\n${[...new Set(facts)].slice(-6).join('\n') || 'None.'}`,
    `## State\nDone: steps 1 to ${String(place)} of ${String(STORY.length)}. The latest: ${latest.join('; ')}.`,
    `## Next\n${STORY[place]?.title ?? 'Nothing.'}`,
  ].join('\n');
}
