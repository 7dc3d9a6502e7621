type ToggleProps<Value extends string> = {
  label: string
  value: Value
  choices: { value: Value; text: string }[]
  onValue: (value: Value) => void
}

/** A few choices beside each other, of which one holds. */
export function Toggle<Value extends string>({ label, value, choices, onValue }: ToggleProps<Value>) {
  return (
    <div class="toggle" role="group" aria-label={label}>
      {choices.map(choice => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onValue(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </div>
  )
}
