/** What a README says at its beginning, and how to start. */
export interface Readme {
  readonly title?: string | undefined;
  /** The first paragraph of prose. */
  readonly intro?: string | undefined;
  /** The first code block under a heading such as "Quick start", at most a few lines. */
  readonly start?: { readonly heading: string; readonly code: string } | undefined;
}

const MAX_LINES = 2_000;
const MAX_INTRO = 700;
const MAX_CODE_LINES = 8;
const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*$/;
const START = /install|quick ?start|getting started|usage|how to (?:run|use)|running|development|try it|setup|build/i;
/** Badges, pictures, comments, tables, quotes, rules: nothing that says what it is for. */
const NO_PROSE = /^(?:\[?!\[|<|\||>|[-=*_]{3,}$|\[[^\]]*\]:)/;
/** `- [Install](#install)` */
const LIST = /^(?:[-*+]|\d+\.)[ \t]/;

/** Reads Markdown line by line. */
export function readReadme(text: string): Readme {
  const lines = text.split('\n', MAX_LINES).map((line) => line.trimEnd());
  let title: string | undefined;
  let heading = '';
  let fence: string | undefined;
  let code: string[] = [];
  let intro: string[] = [];
  let isIntroOver = false;
  let start: Readme['start'];
  for (const [at, line] of lines.entries()) {
    const trimmed = line.trimStart();
    const mark = /^(?:`{3,}|~{3,})/.exec(trimmed)?.[0];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true && trimmed === mark) {
        if (start === undefined && START.test(heading) && code.length > 0)
          start = { heading, code: code.slice(0, MAX_CODE_LINES).join('\n') };
        fence = undefined;
      } else code.push(line);
      continue;
    }
    const found = HEADING.exec(line)?.[2] ?? (isUnderlined(lines, at) ? line : undefined);
    if (mark !== undefined) [fence, code] = [mark, []];
    if (found !== undefined) {
      heading = plain(found);
      title ??= heading;
    }
    const isProse = mark === undefined && found === undefined && trimmed !== '' && !NO_PROSE.test(trimmed) && !LIST.test(trimmed);
    if (isProse && !isIntroOver) intro.push(plain(trimmed));
    else if (intro.length > 0) {
      // A line such as "English | Deutsch" is no introduction.
      isIntroOver ||= intro.join(' ').length >= 30;
      if (!isIntroOver) intro = [];
    }
  }
  const said = intro.join(' ').trim();
  const short = said.length > MAX_INTRO ? `${said.slice(0, said.lastIndexOf(' ', MAX_INTRO))} …` : said;
  return { title, intro: short || undefined, start };
}

function isUnderlined(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  return line.trim() !== '' && !LIST.test(line) && /^(?:={3,}|-{3,})$/.test(lines[at + 1] ?? '');
}

/** Markdown of one line without links, pictures and tags. */
function plain(line: string): string {
  return line
    .slice(0, 1_000)
    .replace(/!\[[^[\]]{0,200}\]\([^()]{0,500}\)/g, '')
    .replace(/\[([^[\]]{0,200})\](?:\([^()]{0,500}\)|\[[^[\]]{0,200}\])/g, '$1')
    .replace(/<[^<>]{0,300}>/g, '')
    .trim();
}
