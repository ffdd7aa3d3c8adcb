import { z } from 'zod/v3'
import { perTerms } from '../observability/terms.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacter = /[\x00-\x1f\x7f]/
const printable = (says: string, most: number, text = z.string()) =>
  text.max(most).refine(value => !controlCharacter.test(value), says)

const headers = z.record(
  z
    .string()
    .min(1, 'Header name cannot be empty')
    .max(256)
    .regex(
      /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/,
      "Invalid header name. Only alphanumeric characters and !#$%&'*+-.^_`|~ are allowed",
    )
    .refine(name => !/^\d/.test(name), 'Header name cannot start with a number'),
  printable('Header values cannot contain control characters', 4096),
)

const queryParams = z.record(
  printable(
    'Query parameter names cannot contain control characters',
    1024,
    z.string().min(1, 'Query parameter name cannot be empty'),
  ),
  printable('Query parameter values cannot contain control characters', 4096),
)

const atMost = (count: number, what: string) =>
  [
    (entries: object) => Object.keys(entries).length <= count,
    `A webhook cannot have more than ${count} ${what}`,
  ] as const

const webhook = z
  .object({
    name: z.string().trim().min(1).max(1024),
    service: z.enum(['slack', 'generic', 'incidentio']),
    url: z.string().url().max(2048),
    description: z.string().max(2048).optional(),
    queryParams: queryParams.refine(...atMost(100, 'query parameters')).optional(),
    headers: headers.refine(...atMost(100, 'headers')).optional(),
    body: z
      .string()
      .max(16 * 1024)
      .optional(),
  })
  .superRefine((body, context) => {
    if (body.service !== 'slack') return
    for (const field of ['headers', 'queryParams', 'body'] as const) {
      if (body[field] === undefined) continue
      const message = `${field} is not supported for the slack webhook service`
      context.addIssue({ code: 'custom', message, path: [field] })
    }
  })

/** The body of a webhook; writing webhooks is of the newer edition only. */
export const webhookBody = perTerms(() => webhook)
export type WebhookBody = z.infer<typeof webhook>

export const webhookProperties: ReadonlySet<string> = new Set(Object.keys(webhook.innerType().shape))
