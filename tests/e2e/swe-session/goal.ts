import type { Conversation, Exchange } from './conversation.js';
import type { Call, Change, How, Words } from './words.js';

/** What a model can look at when it decides: the request, and nothing else. */
interface Scene extends Conversation {
  readonly words: Words;
}

/** What a model does next; without calls its turn ends. */
interface Act {
  readonly text?: string;
  readonly calls?: readonly Call[];
}

/** One step of the work. */
export interface Goal {
  readonly title: string;
  /** Whether this is what comes of it. */
  reachedBy(exchange: Exchange, words: Words): boolean;
  act(scene: Scene): Act;
  /** Done in one answer with the goal before. */
  readonly beside?: true;
}

const subject = ({ args }: Call): string => {
  const { path, file_path, command, pattern } = args as Readonly<Record<string, string | undefined>>;
  return (path ?? file_path ?? command ?? pattern ?? '').split('\n')[0]!.slice(0, 100);
};

/** The same tool on the same thing; a transcript shortens what it says of a call, and does not tell where the workspace is. */
function isSame(call: Call, exchange: Exchange, { root }: Words): boolean {
  const [wanted, seen] = [subject(call).replace(`${root}/`, ''), exchange.subject.slice(0, 100)];
  return call.name === exchange.name && (seen === wanted || seen.endsWith(`/${wanted}`));
}

/** Looks at something; whatever comes of it will do, unless it fails. */
export const look = (title: string, call: (words: Words) => Call): Goal => ({
  title,
  reachedBy: (exchange, words) => !exchange.isError && isSame(call(words), exchange, words),
  act: ({ words }) => ({ calls: [call(words)] }),
});

/** Runs a command to learn what it says. */
export const run = (command: string): Goal => ({
  title: `run ${command}`,
  reachedBy: (exchange, words) => isSame(words.run(command), exchange, words),
  act: ({ words }) => ({ text: 'Let me see what it says.', calls: [words.run(command)] }),
});

/** Runs a command until it passes; the third time in a row that it doesn't is the end of it. */
export const verify = (command: string): Goal => ({
  title: `${command} passes`,
  reachedBy: (exchange, words) => isSame(words.run(command), exchange, words) && !exchange.isError,
  act: ({ words, exchanges }) => {
    const last = exchanges.slice(-3);
    const isStuck = last.length === 3 && last.every((exchange) => isSame(words.run(command), exchange, words) && exchange.isError);
    return isStuck ? { text: `I am stuck: ${command} goes on failing.` } : { calls: [words.run(command)] };
  },
});

/** Says something that ends the turn. */
export const say = (title: string, text: string): Goal => ({
  title,
  reachedBy: ({ name, text: said }) => name === '' && !said.startsWith('I am stuck'),
  act: () => ({ text }),
});

export const todos = (list: Parameters<Words['todos']>[0]): Goal => ({
  title: 'bring the task list up to date',
  reachedBy: ({ name, isError }, words) => name === words.todos([]).name && !isError,
  act: ({ words }) => ({ calls: [words.todos(list)] }),
});

export const task = (description: string, prompt: string): Goal => ({
  title: `have somebody else ${description}`,
  reachedBy: ({ name, isError }, words) => name === words.task('', '').name && !isError,
  act: ({ words }) => ({ text: 'That would fill my context: somebody else looks.', calls: [words.task(description, prompt)] }),
});

/** Puts a plan before the user, until they accept it; what they ask for is added. */
export const submitPlan = (plan: string, { asked, added }: { readonly asked: RegExp; readonly added: string }): Goal => ({
  title: 'have the plan accepted',
  reachedBy: ({ name, isError }) => /^(submit_plan|ExitPlanMode)$/.test(name) && !isError,
  act: ({ words, exchanges }) => {
    const isAsked = exchanges.some(({ text }) => asked.test(text));
    return { calls: [words.plan(isAsked ? `${plan}\n${added}` : plan)] };
  },
});

/** How a file is changed. */
interface Edit {
  readonly path: string;
  readonly how: How;
  /** What is changed in the file that stands there, as the model has read it. */
  readonly changes: (text: string) => readonly Change[];
  /** What a model must be told before it changes this, and how it is told again. */
  readonly because?: { readonly told: RegExp; readonly again: Goal };
  readonly beside?: true;
}

/** How results of changes begin, and what is told of one that was left out. */
const EDITED = /(^|; it began: )(Edited|Changed|Wrote|Created|Replaced)\b/;
const NUMBER = /^\s*\d+\t/gm;

/** Whether a result is about a file, in the words of any vocabulary. */
const isAbout = ({ text, subject: what }: Exchange, path: string): boolean => what.endsWith(path) || text.split('\n')[0]!.includes(path);

/** The lines of a file that the model can still see, newest last; what it read before an edit failed does not count. */
function seenOf(path: string, { exchanges, words }: Pick<Scene, 'exchanges' | 'words'>): readonly string[] {
  const from = exchanges.findLastIndex((exchange) => exchange.isError && isAbout(exchange, path)) + 1;
  const reads = exchanges.slice(from).filter((exchange) => isSame(words.read(path), exchange, words) && !exchange.isError);
  return reads.map(({ text }) => text.replace(NUMBER, ''));
}

/** Changes a file. Reads it first wherever the lines in question can't be seen (any more). */
export const edit = ({ path, how, changes, because, beside }: Edit): Goal => {
  const isDone = (text: string): boolean => {
    const wanted = changes(text);
    return wanted.length > 0 && wanted.every(({ to }) => text.includes(to));
  };
  return {
    title: `edit ${path}`,
    beside,
    reachedBy(exchange, words) {
      if (exchange.isError) return false;
      if (isSame(words.read(path), exchange, words)) return isDone(exchange.text.replace(NUMBER, ''));
      return EDITED.test(exchange.text) && isAbout(exchange, path);
    },
    act(scene) {
      const { words, exchanges, told } = scene;
      const all = [...told, ...exchanges.map(({ text }) => text)].join('\n');
      if (because !== undefined && !because.told.test(all)) return because.again.act(scene);
      const seen = seenOf(path, scene).findLast(
        (text) => changes(text).length > 0 && changes(text).every(({ from }) => text.includes(from)),
      );
      if (seen === undefined) return { calls: [words.read(path)] };
      return { calls: [words.change(path, how, changes(seen))] };
    },
  };
};

/** Tries a change that the user doesn't want: the answer is theirs. */
export const tryEdit = (given: Edit): Goal => ({
  ...edit(given),
  title: `change ${given.path}, if the user lets me`,
  reachedBy: ({ isError, text }) => isError && text.includes('DENIED_BY_USER'),
});

/** A new file. */
export const create = (path: string, content: string): Goal => ({
  title: `write ${path}`,
  reachedBy: (exchange) => !exchange.isError && EDITED.test(exchange.text) && isAbout(exchange, path),
  act: ({ words }) => ({ calls: [words.write(path, content)] }),
});
