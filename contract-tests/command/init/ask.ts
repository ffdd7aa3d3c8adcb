import type { Readable, Writable } from 'node:stream'
import { intro, isCancel, log, outro, password, text } from '@clack/prompts'
import { UsageError } from '../../engine/target/target.ts'
import type { initOptions } from '../options.ts'

export type Answers = Readonly<Partial<Record<keyof typeof initOptions, string>>>
type Name = keyof Answers

/** What is checked as soon as it is answered: each returns why an answer does not do. */
export interface AnswerChecks {
  readonly address: (name: 'cloud' | 'self-hosted', address: string) => Promise<string | undefined>
  readonly credentials: (name: 'cloud' | 'self-hosted', answers: Answers) => Promise<string | undefined>
  /** Whether the environment variable of a secret is set. */
  readonly isSet: (variable: string) => boolean
}

interface Question {
  readonly name: Name
  readonly message: string
  readonly isSecret?: true
  readonly isOptional?: true
}

const questions: Readonly<Record<'cloud' | 'self-hosted', readonly [address: Question, ...credentials: Question[]]>> = {
  cloud: [
    {
      name: 'cloud',
      message: 'Address of the cloud management API, such as https://api.clickhouse.cloud',
      isOptional: true,
    },
    { name: 'key-id', message: 'Key id' },
    { name: 'key-secret', message: 'Key secret, or $NAME of an environment variable', isSecret: true },
  ],
  'self-hosted': [
    {
      name: 'self-hosted',
      message: 'Address of the self-hosted API, such as http://127.0.0.1:8000',
      isOptional: true,
    },
    { name: 'api-key', message: 'Personal API access key, or $NAME of an environment variable', isSecret: true },
    {
      name: 'ingestion-key',
      message: 'Ingestion key, to check that it is refused',
      isSecret: true,
      isOptional: true,
    },
  ],
}

/** The environment variable that an answer names instead of a secret. */
export const variableIn = (answer: string): string | undefined => /^\$([A-Za-z_]\w*)$/.exec(answer)?.[1]

/**
 * Asks at the terminal for what the options do not have, and asks again for what a check refuses. Returns undefined when the
 * user cancelled or entered no address.
 * @throws UsageError when a check refuses what only options gave.
 */
export async function ask(
  options: Answers,
  checks: AnswerChecks,
  streams: { readonly input?: Readable; readonly output?: Writable } = {},
): Promise<Answers | undefined> {
  intro('stack-parity init', streams)
  log.info(
    'Leave an address empty if there is no such deployment.\nSecrets are neither shown nor written to the file.',
    streams,
  )
  const answers: Partial<Record<Name, string>> = { ...options }

  /** Asks the questions until their answers pass the check; false when the user cancelled. */
  async function askUntil(all: readonly Question[], check: () => Promise<string | undefined>): Promise<boolean> {
    const asked = all.filter(({ name }) => options[name] === undefined)
    for (;;) {
      for (const question of asked) {
        const reply = await askOne(question, answers[question.name])
        if (isCancel(reply)) return false
        answers[question.name] = reply || undefined
      }
      const problem = await check()
      if (problem === undefined) return true
      if (asked.length === 0) throw new UsageError(problem)
      log.error(problem, streams)
    }
  }

  function askOne({ message, isSecret, isOptional }: Question, earlier: string | undefined) {
    const validate = (value = '') => {
      if (!value) return isOptional ? undefined : 'A value is required.'
      const variable = isSecret && variableIn(value)
      return variable && !checks.isSet(variable) ? `The environment variable ${variable} is not set.` : undefined
    }
    const common = { ...streams, message, validate }
    return isSecret ? password(common) : text({ ...common, initialValue: earlier })
  }

  for (const name of ['cloud', 'self-hosted'] as const) {
    const [address, ...credentials] = questions[name]
    const isAddressed = await askUntil([address], async () => answers[name] && checks.address(name, answers[name]))
    const isDone =
      isAddressed && (!answers[name] || (await askUntil(credentials, () => checks.credentials(name, answers))))
    if (!isDone) {
      outro('Nothing was written.', streams)
      return undefined
    }
  }
  const isEnough = answers.cloud !== undefined || answers['self-hosted'] !== undefined
  outro(isEnough ? 'Reading …' : 'No address was given, so nothing was written.', streams)
  return isEnough ? answers : undefined
}
