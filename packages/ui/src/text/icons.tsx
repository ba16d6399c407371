import type { ReactNode } from 'react';

/** A picture of 16 by 16 in the colour of the text; what it means is said beside it. */
const icon = (children: ReactNode) =>
  function Icon() {
    return (
      <svg className="cl-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
        {children}
      </svg>
    );
  };

export const CheckIcon = icon(<path d="M3.5 8.5l3 3 6-7" />);
export const CrossIcon = icon(<path d="M4.5 4.5l7 7m0-7l-7 7" />);
export const ChevronIcon = icon(<path d="M6 4l4 4-4 4" />);
export const ChevronDownIcon = icon(<path d="M4 6l4 4 4-4" />);
export const CopyIcon = icon(<path d="M6 5.5h6.5v8H6zM10 5.5v-3H3.5v8H6" />);
export const DownIcon = icon(<path d="M8 3v10m-4-4l4 4 4-4" />);
export const UpIcon = icon(<path d="M8 13V3M4 7l4-4 4 4" />);
export const StopIcon = icon(<rect x="4" y="4" width="8" height="8" rx="1.5" className="cl-icon__filled" />);
export const PauseIcon = icon(<path d="M6 4v8m4-8v8" />);
export const DotsIcon = icon(<path d="M4 8h.01M8 8h.01M12 8h.01" />);
export const SkipIcon = icon(<path d="M3 8h9m-3.5-3.5L12 8l-3.5 3.5" />);
export const QuestionIcon = icon(<path d="M6 6a2 2 0 1 1 2.8 1.8c-.5.3-.8.6-.8 1.2M8 11.5h.01" />);
export const SpinnerIcon = icon(<path d="M8 2.5a5.5 5.5 0 1 1-5.5 5.5" className="cl-spin" />);
export const ThoughtIcon = icon(<path d="M8 2.5v11M2.5 8h11M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6" />);
export const WarningIcon = icon(<path d="M8 3v6M8 12h.01" />);
export const InfoIcon = icon(<path d="M8 7v5M8 4.2h.01" />);
export const FileIcon = icon(<path d="M4 2.5h5l3 3v8H4zM9 2.5v3h3" />);
export const ImageIcon = icon(<path d="M2.5 3.5h11v9h-11zM3 11l3-3 2.5 2.5L10.5 9l2.5 2.5M10.5 6h.01" />);
export const TerminalIcon = icon(<path d="M3 4.5L6.5 8 3 11.5M8 11.5h5" />);
export const PlusIcon = icon(<path d="M8 3.5v9M3.5 8h9" />);
