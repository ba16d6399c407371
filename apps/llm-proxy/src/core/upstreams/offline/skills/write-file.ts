import { plain, quoted, type Clause } from '../clause.js';
import { LITERAL } from '../literals.js';
import { toPath } from '../paths.js';
import { code, failure } from '../phrases.js';
import type { Play, Task } from '../task.js';
import { written, TO } from './written.js';

const NAMED =
  /^(?:create|write|make|save|add|put|создай|запиши|напиши)\s+(?:(?:an?|the|new|empty|text|file|files|called|named|новый|пустой|файл)\s+)*(\S+)(.*)$/isu;
const CONTENT =
  /^\s*[,:]?\s*(?:(?:with|containing|that (?:says|contains)|saying|from|as|с)(?![\p{L}\p{N}_])\s*)?(?:(?:the|this|following|содержимым|содержанием|текстом)\s+)*(?:(?:content|contents|text|line|body)\s*)?:?\s*(.*)$/isu;
const KOREAN = new RegExp(`(\\S+?)(?:에|\\s*파일에?)\\s+(${LITERAL}|.+?)(?:이?라고|을|를)?\\s*(?:쓰|써|적어|저장|만들)`, 'u');

/** `create a.txt with hello`, `write "x" to a.txt`, `create a.txt:` and a code block. */
export function writeFile(clause: Clause): Task[] | undefined {
  const found = toTarget(clause);
  if (!found) return undefined;
  const { path, content } = found;
  const doing = `write ${code(path)}`;
  function* play(): Play {
    const outcome = yield { tool: 'write_file', args: { path, content } };
    return outcome.ok ? { text: written(outcome, content) } : failure(doing, outcome);
  }
  return [{ tools: ['write_file'], readonly: false, doing, play }];
}

function toTarget(clause: Clause): { path: string; content: string } | undefined {
  const block = quoted(clause).find(({ kind }) => kind === 'block');
  const korean = KOREAN.exec(clause.text);
  const backwards = TO.exec(clause.text) ?? undefined;
  if (backwards && !/^append/i.test(clause.text)) {
    const path = toPath(backwards[2] ?? '', clause);
    if (path !== undefined) return { path, content: plain(backwards[1] ?? '', clause) };
  }
  const named = NAMED.exec(clause.text);
  if (!named) {
    const path = korean ? toPath(korean[1] ?? '', clause) : undefined;
    return path === undefined ? undefined : { path, content: plain(korean?.[2] ?? '', clause) };
  }
  const path = toPath(named[1] ?? '', clause);
  if (path === undefined) return undefined;
  const literal = block ?? quoted({ ...clause, text: named[2] ?? '' })[0];
  return { path, content: literal?.text ?? plain(CONTENT.exec(named[2] ?? '')?.[1] ?? '', clause) };
}
