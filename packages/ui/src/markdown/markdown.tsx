import { useMemo } from 'react';
import { LongText } from '../text/long-text.js';
import { Block } from './block.js';
import { CodeBlock } from './code-block.js';
import { completeTail } from './complete-tail.js';
import { splitMarkdown } from './split-markdown.js';

/** Markdown of a model. `live`: it is being written; then only its last block is drawn anew, in the shape in which it will probably stay. */
export function Markdown({ text, live = false }: { readonly text: string; readonly live?: boolean }) {
  const blocks = useMemo(() => splitMarkdown(text), [text]);
  return (
    <div className="cl-markdown">
      {blocks.map((block, index) => {
        const isLast = live && index === blocks.length - 1;
        if (block.kind === 'code')
          return <CodeBlock key={index} code={block.source} language={block.language} live={isLast && !block.closed} />;
        if (block.kind === 'plain') return <LongText key={index} text={block.source} />;
        return <Block key={index} source={isLast ? completeTail(block.source) : block.source} />;
      })}
    </div>
  );
}
