import { useEffect, useId, useRef, useState, type ReactNode } from 'react';

interface ExplainedProps {
  /** What a screen reader says of the button. */
  readonly label: string;
  /** What is seen. */
  readonly face: ReactNode;
  readonly children: ReactNode;
}

/** A small figure that explains itself when it is pressed. Escape, or a press elsewhere, puts the words away. */
export function Explained({ label, face, children }: ExplainedProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointer = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) setIsOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [isOpen]);
  return (
    <div
      ref={root}
      className="cl-explained"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        setIsOpen(false);
        root.current?.querySelector('button')?.focus();
      }}
    >
      <button
        type="button"
        className="cl-explained__face"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {face}
      </button>
      <div id={id} className="cl-explained__words" hidden={!isOpen} role="note">
        {children}
      </div>
    </div>
  );
}
