import { useEffect, useState, type ReactNode } from 'react';
import { changeQuery } from '../router/route.js';
import { Icon } from './icons.js';

/** Rests so long after the last key before it searches. */
const PAUSE_MS = 200;

/** A line of fields that narrow what is listed. */
export function Filters({ label, children }: { label: string; children: ReactNode }) {
  return (
    <form role="search" aria-label={label} className="co-filters" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

/** Words that are searched for: kept in the query of the address, so that a page can be linked as it stands. */
export function SearchField({ name, label, value }: { name: string; label: string; value: string }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => changeQuery({ [name]: typed }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name, typed, value]);
  return (
    <label className="co-search">
      <span className="cl-hidden">{label}</span>
      <Icon name="search" size={14} />
      <input type="search" value={typed} placeholder={label} onChange={(event) => setTyped(event.target.value)} />
    </label>
  );
}

/** One of a few. */
export function ChoiceField({
  name,
  label,
  value,
  choices,
}: {
  name: string;
  label: string;
  value: string;
  choices: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <label className="co-choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => changeQuery({ [name]: event.target.value })}>
        {choices.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
