import type { OfferedParameter } from '../../offer-request.ts'
import { element, fill } from '../element.ts'
import { boundsOf, type Parameter } from '../openapi.ts'
import { wordsOf } from '../schema-tree.ts'

/** A parameter to fill in: what exists is offered, anything else may be written. */
export interface ParameterField {
  readonly root: HTMLElement
  readonly name: string
  value(): string
  offer(offered: OfferedParameter): void
}

const another = ' another'

export function parameterField(
  { name, in: place, schema = {}, description }: Parameter,
  changed: (isChosen: boolean) => void,
  /** Where one is created that it could name. */
  creates: string | undefined,
): ParameterField {
  const id = `parameter-${name}`
  const select = element('select', { id })
  const input = element('input', {
    type: 'text',
    'aria-label': `Another ${name}`,
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const none = element('p.quiet')
  const choose = () => {
    const isFree = select.value === another
    input.hidden = !isFree
    if (isFree) input.focus()
    changed(!isFree)
  }
  select.addEventListener('change', choose)
  input.addEventListener('input', () => changed(false))
  const hints = [wordsOf(schema), ...boundsOf(schema)].join(', ')
  return {
    name,
    root: element('div.parameter', [
      element('label', { for: id }, [
        element('code', name),
        element('small', ` ${place === 'query' ? 'query, ' : ''}${hints}`),
      ]),
      element('div.fills', [select, input]),
      none,
      description && place === 'query' && element('small', description),
    ]),
    value: () => (select.value === another ? input.value : select.value),
    offer({ value = '', choices, required }) {
      const isOffered = choices.some(one => one.value === value)
      fill(select, [
        !required && element('option', { value: '' }, '(not sent)'),
        choices.map(one => element('option', { value: one.value }, labelOf(one))),
        element('option', { value: another }, choices.length > 0 ? 'Another value …' : 'A value …'),
      ])
      const isFree = !isOffered && (required || value !== '')
      select.value = isFree ? another : value
      select.hidden = choices.length === 0 && required
      input.hidden = !isFree
      if (isFree) input.value = value
      const isMissing = choices.length === 0 && value === '' && place === 'path'
      fill(none, [
        isMissing && 'None exists here yet. ',
        isMissing && creates !== undefined && element('a', { href: creates }, 'Create one'),
      ])
    },
  }
}

const labelOf = ({ value, says }: { value: string; says: string }) =>
  says === value ? value : `${says} · ${value.length > 12 ? `${value.slice(0, 8)}…` : value}`
