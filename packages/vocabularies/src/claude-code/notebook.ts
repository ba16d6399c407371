import { isJsonObject, type JsonObject } from '@codelab/tools';

/** A notebook, with the text that it is written in. */
export interface Notebook {
  readonly text: string;
  readonly document: JsonObject;
  readonly cells: readonly JsonObject[];
  /** What a level of its text is indented by. */
  readonly indent: string;
}

/** Reads a notebook; `undefined` for what is none. */
export function parseNotebook(content: string): Notebook | undefined {
  try {
    const document: unknown = JSON.parse(content.startsWith('\uFEFF') ? content.slice(1) : content);
    if (!isJsonObject(document) || !Array.isArray(document.cells)) return undefined;
    const cells = (document.cells as unknown[]).filter(isJsonObject);
    if (cells.length !== document.cells.length) return undefined;
    return { text: content, document, cells, indent: /^\s*\{\r?\n([ \t]+)/.exec(content)?.[1] ?? ' ' };
  } catch {
    return undefined;
  }
}

/** The name of a cell: its id, or where there is none its place, `cell-0`. */
export const cellId = ({ id }: JsonObject, place: number): string => (typeof id === 'string' ? id : `cell-${String(place)}`);

const joined = (source: unknown): string =>
  Array.isArray(source) ? (source as unknown[]).map(String).join('') : typeof source === 'string' ? source : '';

/** The cells of a notebook with their ids, types and outputs, as text. */
export function renderNotebook(content: string): string | undefined {
  const cells = parseNotebook(content)?.cells;
  if (cells === undefined) return undefined;
  if (cells.length === 0) return '(no cells)';
  return cells
    .map((cell, place) => {
      const type = typeof cell.cell_type === 'string' ? cell.cell_type : 'unknown';
      const outputs = (Array.isArray(cell.outputs) ? (cell.outputs as unknown[]).filter(isJsonObject) : []).map(renderOutput);
      const head = `<cell id="${cellId(cell, place)}" type="${type}">`;
      return [
        head,
        joined(cell.source),
        '</cell>',
        ...outputs.filter((text) => text !== '').map((text) => `<output>\n${text}\n</output>`),
      ].join('\n');
    })
    .join('\n');
}

function renderOutput({ output_type: type, text, data, ename, evalue }: JsonObject): string {
  if (type === 'error') return `${joined(ename)}: ${joined(evalue)}`;
  if (type === 'stream') return joined(text).trimEnd();
  if (!isJsonObject(data)) return '';
  const plain = joined(data['text/plain']).trimEnd();
  const others = Object.keys(data).filter((kind) => kind !== 'text/plain');
  return [plain, ...others.map((kind) => `[${kind}]`)].filter((line) => line !== '').join('\n');
}
