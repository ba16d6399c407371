import { SafeText } from '../text/safe-text.js';
import type { CodePiece } from './highlight-code.js';

/** A line of code in its colours. */
export function CodeText({ pieces }: { readonly pieces: readonly CodePiece[] }) {
  return (
    <>
      {pieces.map(({ text, kind }, index) => (
        <span key={index} className={kind && `cl-code-${kind}`}>
          <SafeText text={text} />
        </span>
      ))}
    </>
  );
}
