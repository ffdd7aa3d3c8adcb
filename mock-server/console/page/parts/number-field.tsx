import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly step: number
  /** Called with a valid number when the field is left or Enter is pressed. */
  readonly onCommit: (value: number) => unknown
}

/** A field for a number. While the user types, it shows the browser's validation message. */
export function NumberField({ label, value, unit, min, max, step, onCommit }: NumberFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(String(value))
  const [problem, setProblem] = useState('')
  // A layout effect, because an effect after the paint could undo what has been typed since.
  useLayoutEffect(() => setText(String(value)), [value])
  const validate = (): boolean => {
    setProblem(input.current!.validationMessage)
    return input.current!.validity.valid
  }
  return (
    <div class="number-field">
      <label class="labelled" for={id}>
        {label}
        <span class="unit">
          <input
            type="number"
            ref={input}
            id={id}
            min={min}
            max={max}
            step={step}
            value={text}
            required
            inputmode="decimal"
            aria-describedby={`${id}-wrong`}
            aria-invalid={problem !== ''}
            onInput={event => {
              setText(event.currentTarget.value)
              validate()
            }}
            onChange={() => {
              if (validate()) onCommit(input.current!.valueAsNumber)
            }}
          />
          {unit}
        </span>
      </label>
      <p class="wrong small" id={`${id}-wrong`} role="alert" hidden={problem === ''}>
        {problem}
      </p>
    </div>
  )
}
