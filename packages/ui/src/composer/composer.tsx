import { useId, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { formatCount } from '@codelab/client/view';
import { LIMITS, type WhenBusy } from '@codelab/protocol';
import { useFacts, usePort, useSession } from '../port/session-context.js';
import { SafeText } from '../text/safe-text.js';
import { StopIcon, UpIcon } from '../text/icons.js';
import { Choosers } from './choosers.js';
import { CompletionList } from './completion-list.js';
import { PastedImages } from './pasted-images.js';
import { useCompletion, type Candidate } from './use-completion.js';
import { useDraft } from './use-draft.js';
import { useImages } from './use-images.js';
import { WhenBusyChoice, type BusyWay } from './when-busy.js';

/** From here on the number of characters is told. */
const NEARLY_FULL = 0.9;

/**
 * Where messages are written. Enter sends, Shift-Enter makes a new line; Up in an empty field brings earlier messages. While a turn runs it
 * is chosen whether a message waits, goes into the turn, or interrupts it.
 */
export function Composer() {
  const port = usePort();
  const turn = useSession((view) => view.turn);
  const isClosed = useSession((view) => view.link === 'closed');
  const takesImages = useFacts((facts) => facts.takesImages === true);
  const draft = useDraft();
  const images = useImages();
  const field = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(0);
  const [way, setWay] = useState<BusyWay>('enqueue');
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [picked, setPicked] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const id = useId();
  const found = useCompletion(draft.text, cursor);
  const completion = dismissed === draft.text ? undefined : found;

  const length = countCharacters(draft.text);
  const isTooLong = length > LIMITS.MAX_MESSAGE_CHARACTERS;
  const canSend = !isSending && !isClosed && !isTooLong && (draft.text.trim() !== '' || images.images.length > 0);

  const write = (text: string): void => {
    draft.write(text);
    setPicked(0);
    setProblem(undefined);
  };

  const send = async (whenBusy: WhenBusy): Promise<void> => {
    if (!canSend) return;
    const [text, attachments] = [draft.text, images.images];
    setIsSending(true);
    draft.write('');
    images.clear();
    try {
      await port.send({
        content: text.trim() === '' ? 'See the image.' : text,
        whenBusy: turn ? whenBusy : undefined,
        attachments: attachments.length === 0 ? undefined : attachments.map(({ attachment }) => attachment),
      });
    } catch (error) {
      setProblem(`Not sent: ${error instanceof Error ? error.message : String(error)}`);
      draft.write(text);
    } finally {
      setIsSending(false);
      field.current?.focus();
    }
  };

  const pick = (candidate: Candidate): void => {
    if (completion === undefined) return;
    const text = draft.text.slice(0, completion.start) + candidate.insert + draft.text.slice(completion.end).replace(/^ /, '');
    write(text);
    moveCursor(field.current, text, completion.start + candidate.insert.length);
    setCursor(completion.start + candidate.insert.length);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return; // Enter ends the writing of a character
    const key = event.key;
    if (completion && completion.candidates.length > 0) {
      const count = completion.candidates.length;
      const act: Readonly<Record<string, () => void>> = {
        ArrowDown: () => setPicked((picked + 1) % count),
        ArrowUp: () => setPicked((picked + count - 1) % count),
        Escape: () => setDismissed(draft.text),
        Enter: () => pick(completion.candidates[Math.min(picked, count - 1)]!),
        Tab: () => pick(completion.candidates[Math.min(picked, count - 1)]!),
      };
      if (Object.hasOwn(act, key) && !event.shiftKey) {
        event.preventDefault();
        act[key]!();
        return;
      }
    }
    if (key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      void send(event.ctrlKey || event.metaKey ? 'interrupt' : way);
      return;
    }
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    if (selectionStart !== selectionEnd) return;
    const isFirst = !value.slice(0, selectionStart).includes('\n');
    const isLast = !value.slice(selectionEnd).includes('\n');
    if (key === 'ArrowUp' && isFirst && draft.recall('older') !== undefined) event.preventDefault();
    if (key === 'ArrowDown' && isLast && draft.recall('newer') !== undefined) event.preventDefault();
  };

  const addFiles = async (files: readonly File[]): Promise<void> =>
    setProblem(await images.add(files).catch((error: Error) => error.message));
  const onPaste = (event: ClipboardEvent): void => {
    const files = [...event.clipboardData.files];
    if (!takesImages || files.length === 0) return;
    event.preventDefault();
    void addFiles(files);
  };

  return (
    <form
      className="cl-composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        void send(way);
      }}
    >
      {completion && completion.candidates.length > 0 && (
        <CompletionList id={`${id}-list`} candidates={completion.candidates} picked={picked} onPick={pick} />
      )}
      {problem !== undefined && (
        <p className="cl-problem" role="alert">
          <SafeText text={problem} />
        </p>
      )}
      <div className="cl-composer__box">
        <PastedImages images={images} />
        <textarea
          ref={field}
          className="cl-composer__field"
          aria-label="Your message"
          placeholder={
            isClosed ? 'The session is closed.' : turn ? 'Say what comes next, or steer the turn' : 'Ask, or say what should be done'
          }
          rows={1}
          value={draft.text}
          disabled={isClosed}
          role="combobox"
          aria-expanded={completion !== undefined && completion.candidates.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={completion && completion.candidates.length > 0 ? `${id}-list-${picked}` : undefined}
          aria-describedby={`${id}-count`}
          aria-invalid={isTooLong}
          onChange={(event) => {
            write(event.target.value);
            setCursor(event.target.selectionStart);
          }}
          onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onDrop={(event) => {
            const files = [...event.dataTransfer.files];
            if (!takesImages || files.length === 0) return;
            event.preventDefault();
            void addFiles(files);
          }}
        />
        <p
          id={`${id}-count`}
          className={isTooLong ? 'cl-composer__count cl-bad' : 'cl-composer__count'}
          role={isTooLong ? 'alert' : undefined}
        >
          {length > LIMITS.MAX_MESSAGE_CHARACTERS * NEARLY_FULL &&
            (isTooLong
              ? `${formatCount(length)} characters: at most ${formatCount(LIMITS.MAX_MESSAGE_CHARACTERS)} go with one message. Put the rest into a file, and mention it.`
              : `${length} of ${LIMITS.MAX_MESSAGE_CHARACTERS} characters`)}
        </p>
        <div className="cl-composer__bar">
          <Choosers />
          <span className="cl-composer__actions">
            {turn && <WhenBusyChoice way={way} onChoose={setWay} />}
            {turn && (
              <button
                type="button"
                className="cl-round cl-round--stop"
                disabled={turn.cancelling}
                aria-label={turn.cancelling ? 'Stopping' : 'Stop the turn'}
                title={turn.cancelling ? 'Stopping …' : 'Stop the turn'}
                onClick={() => void port.cancel().catch((error: Error) => setProblem(error.message))}
              >
                <StopIcon />
              </button>
            )}
            <button type="submit" className="cl-round" disabled={!canSend} aria-label="Send" title="Send (Enter)">
              <UpIcon />
            </button>
          </span>
        </div>
      </div>
    </form>
  );
}

/** The limit counts code points. */
const countCharacters = (text: string): number => {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code <= 0xdbff) pairs += 1;
  }
  return text.length - pairs;
};

/** Puts the cursor into a text that React is about to draw. */
function moveCursor(field: HTMLTextAreaElement | null, text: string, position: number): void {
  requestAnimationFrame(() => field?.value === text && field.setSelectionRange(position, position));
}
