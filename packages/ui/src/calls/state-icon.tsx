import type { CallProgress } from '@codelab/client/view';
import { CheckIcon, CrossIcon, DotsIcon, PauseIcon, QuestionIcon, SkipIcon, SpinnerIcon } from '../text/icons.js';

const LOOKS = {
  waiting: [PauseIcon, 'waits for you'],
  ready: [DotsIcon, 'about to run'],
  running: [SpinnerIcon, 'running'],
  done: [CheckIcon, 'done'],
  failed: [CrossIcon, 'failed'],
  rejected: [CrossIcon, 'rejected'],
  cancelled: [SkipIcon, 'cancelled'],
  unknown: [QuestionIcon, 'outcome unknown'],
} as const satisfies Readonly<Record<CallProgress, readonly [() => React.JSX.Element, string]>>;

/** Where a call stands: a picture, and words for those who don't see it. */
export function StateIcon({ progress }: { readonly progress: CallProgress }) {
  const [Icon, words] = LOOKS[progress];
  return (
    <span className={`cl-state cl-state--${progress}`} title={words}>
      <Icon />
      <span className="cl-hidden">{words}: </span>
    </span>
  );
}
