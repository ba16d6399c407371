import type { FormField, FormOption } from '@codelab/tools/human';
import { useId } from 'react';
import { SafeText } from '../text/safe-text.js';

/** What stands in a field: a text, the value of an option, or the values of several. */
export type FieldValue = string | readonly string[];

interface FieldProps {
  readonly field: FormField;
  readonly index: number;
  readonly value: FieldValue;
  readonly fault: string | undefined;
  readonly onChange: (value: FieldValue) => void;
}

/** More options stand in a list that opens. */
const MAX_RADIOS = 6;

/** One field of a form, whatever it takes. */
export function FieldInput({ field, index, value, fault, onChange }: FieldProps) {
  const { input, title, description, required } = field;
  const id = useId();
  const [faultId, descriptionId] = [`${id}-fault`, `${id}-description`];
  const described = [description && descriptionId, fault && faultId].filter(Boolean).join(' ') || undefined;
  const label = (
    <>
      <SafeText text={title} />
      {!required && <span className="cl-field-optional"> optional</span>}
    </>
  );
  const notes = (
    <>
      {description && (
        <p id={descriptionId} className="cl-field-description">
          <SafeText text={description} />
        </p>
      )}
      {fault && (
        <p id={faultId} className="cl-field-fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
  const options = optionsOf(field);
  const invalid = fault !== undefined;
  if (options === undefined || (input.kind === 'choice' && options.length > MAX_RADIOS))
    return (
      <div className="cl-field" data-field={index}>
        <label htmlFor={id}>{label}</label>
        {options === undefined ? (
          <input
            id={id}
            type={typeOf(field)}
            inputMode={input.kind === 'number' ? (input.integer ? 'numeric' : 'decimal') : undefined}
            value={value}
            aria-invalid={invalid}
            aria-required={required}
            aria-describedby={described}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <select
            id={id}
            value={value}
            aria-invalid={invalid}
            aria-describedby={described}
            onChange={(event) => onChange(event.currentTarget.value)}
          >
            {required && value === '' && <option value="">Choose…</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.title}
              </option>
            ))}
          </select>
        )}
        {notes}
      </div>
    );
  return (
    <fieldset className="cl-field cl-options" data-field={index} aria-describedby={described}>
      <legend>{label}</legend>
      {options.map((option) => (
        <OptionInput key={option.value} name={id} option={option} value={value} onChange={onChange} />
      ))}
      {notes}
    </fieldset>
  );
}

interface OptionProps {
  readonly name: string;
  readonly option: FormOption;
  readonly value: FieldValue;
  readonly onChange: (value: FieldValue) => void;
}

function OptionInput({ name, option, value, onChange }: OptionProps) {
  const isMany = typeof value !== 'string';
  const isPicked = isMany ? value.includes(option.value) : value === option.value;
  const change = (): void => {
    if (!isMany) onChange(option.value);
    else onChange(isPicked ? value.filter((each) => each !== option.value) : [...value, option.value]);
  };
  return (
    <label className="cl-option" data-picked={isPicked || undefined}>
      <input type={isMany ? 'checkbox' : 'radio'} name={name} checked={isPicked} onChange={change} />
      <SafeText text={option.title} />
    </label>
  );
}

const NO_ANSWER: FormOption = { value: '', title: 'No answer' };

function optionsOf({ input, required }: FormField): readonly FormOption[] | undefined {
  if (input.kind === 'choices') return input.options;
  const none = required ? [] : [NO_ANSWER];
  if (input.kind === 'boolean') return [{ value: 'true', title: 'Yes' }, { value: 'false', title: 'No' }, ...none];
  return input.kind === 'choice' ? [...input.options, ...none] : undefined;
}

const TYPES: Readonly<Record<string, string>> = { email: 'email', uri: 'url', date: 'date' };
const typeOf = ({ input }: FormField): string => (input.kind === 'text' && input.format ? (TYPES[input.format] ?? 'text') : 'text');
