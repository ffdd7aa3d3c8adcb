import { useState } from 'preact/hooks'
import type { ListedChoice } from '../../../faces/control/page/answers.ts'
import { formNames } from '../about.ts'
import { ask } from '../control.ts'
import { Badge, SearchField, Select, Table, wordsIn } from '../parts/basic.tsx'

interface ChoicesProps {
  readonly choices: readonly ListedChoice[]
  readonly refresh: () => Promise<void>
}

/** The choices where the specification is silent, each to be taken otherwise. */
export function Choices({ choices, refresh }: ChoicesProps) {
  const [search, setSearch] = useState('')
  const words = wordsIn(search)
  const changed = choices.filter(({ usual, takes }) => usual !== takes)
  const shown =
    words.length === 0
      ? changed
      : choices.filter(({ id, form, asks, because }) => {
          const text = `${id} ${formNames[form]} ${asks} ${because}`.toLowerCase()
          return words.every(word => text.includes(word))
        })
  const take = async ({ form, id }: ListedChoice, value: string) => {
    await ask('PUT', '/control/choices', { [form]: { [id]: value } })
    await refresh()
  }
  return (
    <section aria-labelledby="choices">
      <h2 id="choices">Choices where the specification is silent</h2>
      <p class="quiet">
        {changed.length === 0
          ? `All ${choices.length} are the usual ones.`
          : `${changed.length} of ${choices.length} differ from the usual ones.`}{' '}
        A choice holds for the next call. All of a deployment's are taken by --as, others by a seed (--gaps).
      </p>
      <div class="row">
        <SearchField
          placeholder="Find a choice: pagination, unknown id, 404"
          label="Find a choice"
          value={search}
          change={setSearch}
        />
        <output class="quiet">{words.length > 0 && `${shown.length} of ${choices.length}`}</output>
      </div>
      {shown.length > 0 && (
        <Table
          label="Choices"
          columns={['Question', 'Section', 'Form', 'Taken']}
          rows={shown.slice(0, 60).map(choice => {
            const { id, asks, section, form, takes = '', usual, because, choices: all } = choice
            const options = [...new Set([takes, ...all])].map(one => [one, one] as const)
            return [
              <span title={because}>
                {asks} <code>{id}</code>
              </span>,
              `§${section}`,
              formNames[form] ?? form,
              <span class="row">
                <Select
                  options={options}
                  value={takes}
                  choose={value => take(choice, value)}
                  aria-label={`${id}, ${formNames[form]}`}
                />
                {takes !== usual && <Badge tone="note">{`instead of ${usual}`}</Badge>}
              </span>,
            ]
          })}
        />
      )}
    </section>
  )
}
