/** What becomes of a message that is sent while a turn runs. */
export type BusyWay = 'enqueue' | 'steer' | 'interrupt';

const WAYS = {
  enqueue: { label: 'Queue', explains: 'It waits until the turn has ended.' },
  steer: { label: 'Steer', explains: 'It goes into the running turn, before the next step.' },
  interrupt: { label: 'Interrupt', explains: 'It stops the turn and begins a new one.' },
} as const;

interface WhenBusyChoiceProps {
  readonly way: BusyWay;
  readonly onChoose: (way: BusyWay) => void;
}

/** Lets the user choose. */
export function WhenBusyChoice({ way, onChoose }: WhenBusyChoiceProps) {
  return (
    <span className="cl-choice" title={WAYS[way].explains}>
      <select aria-label="While the turn runs, this message" value={way} onChange={(event) => onChoose(event.target.value as BusyWay)}>
        {Object.entries(WAYS).map(([value, { label, explains }]) => (
          <option key={value} value={value} title={explains}>
            {label}
          </option>
        ))}
      </select>
    </span>
  );
}
