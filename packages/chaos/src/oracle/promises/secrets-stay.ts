import type { Promised } from '../violation.js';

export const secretsStay: Promised = {
  name: 'secrets-stay',
  says: 'No log holds a token, a key or what people say; no client is told a token or the key of a provider (L1).',
  *judge(story) {
    for (const { process, line, at, index } of story.of('log'))
      for (const { text, what } of story.canaries)
        if (line.includes(text)) yield { text: `the log of ${process} holds ${what}`, at, events: [index] };
    const secrets = story.canaries.filter(({ owner }) => owner === undefined);
    for (const { frame, observer, at, index } of story.told) {
      const told = JSON.stringify(frame);
      for (const { text, what } of secrets)
        if (told.includes(text)) yield { text: `${observer} is told ${what}, in ${frame.type}`, at, events: [index] };
    }
    for (const { answer, path, observer, at, index } of story.of('rest')) {
      const told = JSON.stringify(answer ?? {});
      for (const { text, what } of secrets)
        if (told.includes(text)) yield { text: `${observer} is told ${what}, by ${path}`, at, events: [index] };
    }
    for (const { body, at, index } of story.of('model-request')) {
      const told = JSON.stringify(body);
      for (const { text, what } of secrets) if (told.includes(text)) yield { text: `the upstream is told ${what}`, at, events: [index] };
    }
  },
};
