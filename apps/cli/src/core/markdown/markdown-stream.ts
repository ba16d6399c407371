import type { Line } from '../text/span.js';
import { span } from '../text/span.js';
import type { Block, SplitState } from './split-blocks.js';
import { SPLIT_START, advanceBlocks, finishBlocks } from './split-blocks.js';
import type { MarkdownLook } from './render-markdown.js';
import { renderCode, renderMarkdown } from './render-markdown.js';

/**
 * Renders Markdown while it arrives, in pieces of any size. `push` and `end` return the lines that are finished and never change again;
 * `open` returns the rows of the block being written, the only ones that may be drawn anew.
 */
export class MarkdownStream {
  private state: SplitState = SPLIT_START;
  private started = false;

  push(text: string, look: MarkdownLook): readonly Line[] {
    const { state, blocks } = advanceBlocks(this.state, text);
    this.state = state;
    return this.render(blocks, look);
  }

  end(look: MarkdownLook): readonly Line[] {
    const blocks = finishBlocks(this.state);
    this.state = SPLIT_START;
    return this.render(blocks, look);
  }

  open(look: MarkdownLook): readonly Line[] {
    const started = this.started;
    const lines = this.render(
      finishBlocks({ ...this.state, tail: hideUnclear(this.state.tail.replace(/\r$/, '')) }).map(closeInline),
      look,
    );
    this.started = started;
    return lines;
  }

  private render(blocks: readonly Block[], look: MarkdownLook): readonly Line[] {
    return blocks.flatMap((block) => {
      const gap = block.spaced && this.started ? [[]] : [];
      const lines = renderBlock(block, look);
      if (lines.length > 0) this.started = true;
      return lines.length === 0 ? [] : [...gap, ...lines];
    });
  }
}

function renderBlock(block: Block, look: MarkdownLook): readonly Line[] {
  if (block.kind === 'code') return renderCode(block.lines, block.language, look, block.from);
  const lines = renderMarkdown(block.source, { ...look, width: look.width - block.indent });
  return block.indent === 0 ? lines : lines.map((line) => [span(' '.repeat(block.indent)), ...line]);
}

/** The first characters of a fence or a marker would flash up as text before it is known what they are. */
const hideUnclear = (tail: string): string => (/^\s*(?:`{1,2}|`{3,}[^`]*|~{3,}[^`]*|#{1,6}|[-*+]|\d{1,9}[.)]?|>)$/.test(tail) ? '' : tail);

/** Closes what the model has opened and not closed yet, so that emphasis doesn't flicker while it is written. */
function closeInline(block: Block): Block {
  if (block.kind === 'code' || block.source.includes('```')) return block;
  const ticks = (block.source.match(/`/g) ?? []).length;
  const stars = (block.source.replace(/`[^`]*`?/g, '').match(/\*\*/g) ?? []).length;
  return { ...block, source: `${block.source}${ticks % 2 === 1 ? '`' : ''}${stars % 2 === 1 ? '**' : ''}` };
}
