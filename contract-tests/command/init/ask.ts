import { intro, isCancel, log, outro, password, text } from '@clack/prompts'
import type { initOptions } from '../options.ts'

export type Answers = Readonly<Partial<Record<keyof typeof initOptions, string>>>

type Question = readonly [
  option: keyof Answers,
  message: string,
  settings: {
    /** Asked only if this address was given. */
    readonly onlyWith?: keyof Answers
    readonly isSecret?: true
    readonly isOptional?: true
  },
]

const questions: readonly Question[] = [
  ['cloud', 'Address of the cloud management API, such as https://api.clickhouse.cloud', { isOptional: true }],
  ['key-id', 'Key id', { onlyWith: 'cloud' }],
  ['key-secret', 'Key secret, or $NAME of an environment variable', { onlyWith: 'cloud', isSecret: true }],
  ['self-hosted', 'Address of the self-hosted API, such as http://127.0.0.1:8000', { isOptional: true }],
  [
    'api-key',
    'Personal API access key, or $NAME of an environment variable',
    { onlyWith: 'self-hosted', isSecret: true },
  ],
  [
    'ingestion-key',
    'Ingestion key, to check that it is refused',
    { onlyWith: 'self-hosted', isSecret: true, isOptional: true },
  ],
]

/**
 * Asks at the terminal for what the options do not have. Returns undefined when the user cancelled or entered no address.
 * `error` is why the earlier answers failed: they are suggested again, and secrets are kept if left empty.
 */
export async function ask(
  options: Answers,
  earlierAnswers: Answers = {},
  error?: string,
): Promise<Answers | undefined> {
  intro('stack-parity init')
  if (error !== undefined) log.error(error)
  else
    log.info(
      'Leave an address empty if there is no such deployment.\nSecrets are neither shown nor written to the file.',
    )
  const answers: Partial<Record<keyof Answers, string>> = { ...options }
  for (const [option, message, { onlyWith, isSecret, isOptional }] of questions) {
    if (answers[option] !== undefined || (onlyWith && !answers[onlyWith])) continue
    const earlierSecret = isSecret && earlierAnswers[option]
    const validate = (value = '') => {
      const mayBeEmpty = isOptional || earlierSecret
      if (!value) return mayBeEmpty ? undefined : 'A value is required.'
      const isAddress = onlyWith === undefined
      return isAddress && !/^https?:\/\/[^/\s]/.test(value) ? 'An address begins with http:// or https://.' : undefined
    }
    const reply = isSecret
      ? await password({ message: earlierSecret ? `${message} (empty: as before)` : message, validate })
      : await text({ message, validate, initialValue: earlierAnswers[option] })
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
