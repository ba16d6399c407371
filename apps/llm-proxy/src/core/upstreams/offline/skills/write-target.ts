import { LITERAL } from '../literals.js';

/** `write "x" to the file a.txt`: 1 the text, 2 the path. */
export const TO = new RegExp(
  `^(?:write|save|put|add|append|запиши|добавь)\\s+(${LITERAL}|.+?)\\s+(?:to|into|in|в)\\s+(?:(?:the|a|new|end|of|file|конец|файл|файла)\\s+)*(\\S+)\\s*$`,
  'isu',
);
