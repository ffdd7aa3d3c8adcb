import { element } from './element.ts'

export interface NumberField {
  readonly root: HTMLElement
  readonly input: HTMLInputElement
  /** The number, or undefined where what stands there is out of bounds: the field then says so below itself. */
  read(): number | undefined
  /** Puts a number there, within bounds. */
  write(value: number): void
}

export interface NumberOptions {
  readonly value: number
  readonly unit: string
  readonly min: number
  readonly max: number
  readonly step: number
}

/** A field for a number that says its bounds, and refuses what is beyond them while it is typed. */
export function numberField(label: string, id: string, { value, unit, min, max, step }: NumberOptions): NumberField {
  const wrong = element('p.wrong', { id: `${id}-wrong`, role: 'alert', hidden: true })
  const input = element('input', { type: 'number', id, min, max, step, value, required: true, inputmode: 'decimal' })
  input.setAttribute('aria-describedby', wrong.id)
  const judge = (): boolean => {
    const { validity } = input
    const bounds = `from ${min.toLocaleString('en')} to ${max.toLocaleString('en')} ${unit}`
    wrong.hidden = validity.valid
    input.ariaInvalid = String(!validity.valid)
    if (validity.valid) return true
    wrong.textContent = validity.stepMismatch
      ? `In steps of ${step} ${unit}, ${bounds}.`
      : validity.badInput || validity.valueMissing
        ? `A number, ${bounds}.`
        : `${input.valueAsNumber.toLocaleString('en')} is too ${validity.rangeOverflow ? 'large' : 'small'}: ${bounds}.`
    return false
  }
  input.addEventListener('input', judge)
  return {
    root: element('div.bounded', [
      element('label.choose', { for: id }, [label, element('span.unit', [input, unit])]),
      wrong,
    ]),
    input,
    read: () => (judge() ? input.valueAsNumber : undefined),
    write(next) {
      input.value = String(next)
      judge()
    },
  }
}
