import type { OfferedParameter } from '../../../faces/control/page/answers.ts'
import { boundsOf, type Parameter } from '../parts/openapi.ts'
import { wordsOf } from './schema-tree.tsx'

interface ParameterProps {
  readonly parameter: Parameter
  /** What exists that it could name. */
  readonly offered: OfferedParameter
  readonly value: string
  /** Whether the value is typed instead of chosen. */
  readonly isFree: boolean
  readonly change: (value: string, isFree: boolean) => void
  /** The address at which something is created that it could name. */
  readonly creates: string | undefined
}

const another = ' another'

/** A parameter to fill in: what exists is offered, anything else may be typed. */
export function ParameterField({ parameter, offered, value, isFree, change, creates }: ParameterProps) {
  const { name, in: place, schema = {}, description } = parameter
  const { choices, required } = offered
  const id = `parameter-${name}`
  const hints = [wordsOf(schema), ...boundsOf(schema)].join(', ')
  const isMissing = choices.length === 0 && offered.value === undefined && place === 'path'
  return (
    <div class="parameter">
      <label for={id}>
        <code>{name}</code>
        <small>{` ${place === 'query' ? 'query, ' : ''}${hints}`}</small>
      </label>
      <div class="fills">
        <select
          id={id}
          value={isFree ? another : value}
          hidden={choices.length === 0 && required}
          onChange={({ currentTarget: { value: chosen } }) =>
            chosen === another ? change(value, true) : change(chosen, false)
          }
        >
          {!required && <option value="">(not sent)</option>}
          {choices.map(one => (
            <option key={one.value} value={one.value}>
              {labelOf(one)}
            </option>
          ))}
          <option value={another}>{choices.length > 0 ? 'Another value …' : 'A value …'}</option>
        </select>
        {isFree && (
          <input
            {...{ type: 'text', autoComplete: 'off', spellcheck: false, value }}
            aria-label={`Another ${name}`}
            onInput={event => change(event.currentTarget.value, true)}
          />
        )}
      </div>
      {isMissing && (
        <p class="quiet">None exists here yet. {creates !== undefined && <a href={creates}>Create one</a>}</p>
      )}
      {description && place === 'query' && <small>{description}</small>}
    </div>
  )
}

const labelOf = ({ value, says }: OfferedParameter['choices'][number]) =>
  says === value ? value : `${says} · ${value.length > 12 ? `${value.slice(0, 8)}…` : value}`
