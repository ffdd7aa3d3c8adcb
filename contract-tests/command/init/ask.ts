import { intro, isCancel, log, outro, password, text } from '@clack/prompts'
import type { initOptions } from '../options.ts'

export type Answers = Readonly<Partial<Record<keyof typeof initOptions, string>>>

type Question = readonly [
  option: keyof Answers,
  message: string,
  settings: {
    /** Asked only if this address was given. */
    readonly of?: keyof Answers
    readonly isSecret?: true
    readonly isOptional?: true
  },
]

const questions: readonly Question[] = [
  ['cloud', 'Address of the cloud management API, such as https://api.clickhouse.cloud', { isOptional: true }],
  ['key-id', 'Key id', { of: 'cloud' }],
  ['key-secret', 'Key secret, or $NAME of a variable', { of: 'cloud', isSecret: true }],
  ['self-hosted', 'Address of the self-hosted API, such as http://127.0.0.1:8000', { isOptional: true }],
  ['api-key', 'Personal API access key, or $NAME', { of: 'self-hosted', isSecret: true }],
  [
    'ingestion-key',
    'Ingestion key, to check that it is refused',
    { of: 'self-hosted', isSecret: true, isOptional: true },
  ],
]

/**
 * Asks at the terminal for what the options do not have. Returns undefined when the user cancelled or entered no address. After
 * a refusal, the refused answers are suggested again.
 */
export async function ask(options: Answers, refused: Answers = {}, refusal?: string): Promise<Answers | undefined> {
  intro('stack-parity init')
  if (refusal !== undefined) log.error(refusal)
  else
    log.info(
      'Leave an address empty if there is no such deployment.\nSecrets are neither shown nor written to the file.',
    )
  const answers: Partial<Record<keyof Answers, string>> = { ...options }
  for (const [option, message, { of, isSecret, isOptional }] of questions) {
    if (answers[option] !== undefined || (of && !answers[of])) continue
    const earlierSecret = isSecret && refused[option]
    const validate = (value = '') => {
      if (!value) return isOptional || earlierSecret ? undefined : 'A value is needed.'
      return of || /^https?:\/\/[^/\s]/.test(value) ? undefined : 'An address begins with http:// or https://.'
    }
    const reply = isSecret
      ? await password({ message: earlierSecret ? `${message} (empty: as before)` : message, validate })
      : await text({ message, validate, initialValue: refused[option] })
    if (isCancel(reply)) {
      outro('Nothing was written.')
      return undefined
    }
    const answer = reply || earlierSecret
    if (answer) answers[option] = answer
  }
  const isEnough = answers.cloud !== undefined || answers['self-hosted'] !== undefined
  outro(isEnough ? 'Reading …' : 'No address was given, so nothing was written.')
  return isEnough ? answers : undefined
}
