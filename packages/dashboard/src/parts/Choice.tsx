interface Props<V extends string> {
  readonly label: string
  readonly options: ReadonlyArray<{ readonly value: V; readonly label: string; readonly note?: string | undefined }>
  readonly value: V
  readonly onChoose: (value: V) => void
}

/** A small set of options as radio buttons, so arrow keys work natively. */
export function Choice<V extends string>({ label, onChoose, options, value }: Props<V>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={label}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>
            {option.label}
            {option.note === undefined ? null : <span class="quiet"> {option.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
