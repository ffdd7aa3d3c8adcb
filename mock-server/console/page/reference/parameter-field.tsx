import type { ExampleParameter } from '../../../faces/control/page/answers.ts'
import { Input, Select } from '../parts/elements.tsx'
import { boundsOf, type Parameter } from '../parts/openapi.ts'
import { describeType } from './answers.tsx'

interface ParameterProps {
  readonly parameter: Parameter
  readonly offered: ExampleParameter
  readonly value: string
  /** Whether the value is typed instead of chosen. */
  readonly isFree: boolean
  readonly change: (value: string, isFree: boolean) => void
  /** The page of the operation that creates such a resource. */
  readonly createAddress: string | undefined
}

/** Stands in the list of options for a typed value. No id begins with a blank. */
const freeValue = ' another'

/** A field for a parameter: it offers the ids that exist, and allows any other value. */
export function ParameterField({ parameter, offered, value, isFree, change, createAddress }: ParameterProps) {
  const { name, in: place, schema = {}, description } = parameter
  const { choices, required } = offered
  const id = `parameter-${name}`
  const hints = [describeType(schema), ...boundsOf(schema)].join(', ')
  const options = [
    ...(required ? [] : [['', '(not sent)'] as const]),
    ...choices.map(one => [one.value, labelOf(one)] as const),
    [freeValue, choices.length > 0 ? 'Another value …' : 'A value …'] as const,
  ]
  const isMissing = choices.length === 0 && offered.value === undefined && place === 'path'
  return (
    <div class="stack">
      <label for={id}>
        <code>{name}</code>
        <small>{` ${place === 'query' ? 'query, ' : ''}${hints}`}</small>
      </label>
      <div class="stack">
        <Select
          {...{ id, options, hidden: choices.length === 0 && required, value: isFree ? freeValue : value }}
          choose={chosen => (chosen === freeValue ? change(value, true) : change(chosen, false))}
        />
        {isFree && (
          <Input
            {...{ autoComplete: 'off', spellcheck: false, value, change: (text: string) => change(text, true) }}
            aria-label={`Another ${name}`}
          />
        )}
      </div>
      {isMissing && (
        <p class="quiet">
          None exists here yet. {createAddress !== undefined && <a href={createAddress}>Create one</a>}
        </p>
      )}
      {description && place === 'query' && <small>{description}</small>}
    </div>
  )
}

const labelOf = ({ value, description }: ExampleParameter['choices'][number]) =>
  description === value ? value : `${description} · ${value.length > 12 ? `${value.slice(0, 8)}…` : value}`
