import { useEffect, useRef } from 'react';
import { SafeText } from '../text/safe-text.js';
import type { Candidate } from './use-completion.js';

interface CompletionListProps {
  readonly id: string;
  readonly candidates: readonly Candidate[];
  readonly picked: number;
  readonly onPick: (candidate: Candidate) => void;
}

/** What can be put into the message: the keys of the text field move in it. */
export function CompletionList({ id, candidates, picked, onPick }: CompletionListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[picked]?.scrollIntoView({ block: 'nearest' });
  }, [picked]);
  return (
    <ul id={id} ref={list} className="cl-completion" role="listbox" aria-label="Suggestions">
      {candidates.map((candidate, index) => (
        <li
          key={candidate.insert}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === picked}
          className="cl-completion__option"
          onPointerDown={(event) => {
            event.preventDefault(); // the field keeps the focus
            onPick(candidate);
          }}
        >
          <span className="cl-completion__label">
            <SafeText text={candidate.label} />
          </span>
          {candidate.detail !== undefined && (
            <span className="cl-completion__detail">
              <SafeText text={candidate.detail} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
