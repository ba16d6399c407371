import type { AddressQuestion, QuestionAnswer } from '../port/question.js';
import { SafeText } from '../text/safe-text.js';
import { QuestionFrame } from './question-frame.js';

interface AddressProps {
  readonly question: AddressQuestion;
  readonly isBusy: boolean;
  readonly onAnswer: (answer: QuestionAnswer) => void;
}

/** A server wants an address opened. The host, which decides whose page it is, stands out. */
export function AddressQuestionCard({ question, isBusy, onAnswer }: AddressProps) {
  const parts = partsOf(question.url);
  return (
    <QuestionFrame who={`The MCP server ${question.server} wants to open a page`} message={question.message}>
      <p className="cl-address">
        <SafeText text={parts.before} />
        <strong>
          <SafeText text={parts.host} />
        </strong>
        <SafeText text={parts.after} />
      </p>
      {parts.host === '' && <p className="cl-fault">This is no address of a web page.</p>}
      <div className="cl-actions">
        <button
          type="button"
          className="cl-button"
          disabled={isBusy || parts.host === ''}
          onClick={() => onAnswer({ kind: 'form', content: {} })}
        >
          Open the page
        </button>
        <button type="button" className="cl-button cl-button--plain" disabled={isBusy} onClick={() => onAnswer({ kind: 'decline' })}>
          Decline
        </button>
      </div>
    </QuestionFrame>
  );
}

/** An address cut around its host; no host where it is none of a web page. */
export function partsOf(address: string): { readonly before: string; readonly host: string; readonly after: string } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { before: address, host: '', after: '' };
  const at = url.href.indexOf(url.host, url.protocol.length);
  return { before: url.href.slice(0, at), host: url.host, after: url.href.slice(at + url.host.length) };
}
