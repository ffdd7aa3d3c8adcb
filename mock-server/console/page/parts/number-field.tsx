import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly step: number
  /** Called with a number within bounds when the field is left or Enter is pressed. */
  readonly change: (value: number) => unknown
  /** Calls `change` with every key. */
  readonly isLive?: boolean
}

/** A field for a number that refuses what is out of bounds while it is typed, in the words of the browser. */
export function NumberField({ label, value, unit, min, max, step, change, isLive }: NumberFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(String(value))
  const [wrong, setWrong] = useState('')
  // Before the browser paints: an effect after it would undo what was typed at once.
  useLayoutEffect(() => setText(String(value)), [value])
  const judge = (): boolean => {
    setWrong(input.current!.validationMessage)
    return input.current!.validity.valid
  }
  const store = () => judge() && void change(input.current!.valueAsNumber)
  return (
    <div class="bounded">
      <label class="choose" for={id}>
        {label}
        <span class="unit">
          <input
            {...{ type: 'number', id, min, max, step, value: text, required: true, inputmode: 'decimal', ref: input }}
            aria-describedby={`${id}-wrong`}
            aria-invalid={wrong !== ''}
            onInput={event => {
              setText(event.currentTarget.value)
              if (isLive) store()
              else judge()
            }}
            onChange={store}
          />
          {unit}
        </span>
      </label>
      <p class="wrong" id={`${id}-wrong`} role="alert" hidden={wrong === ''}>
        {wrong}
      </p>
    </div>
  )
}
