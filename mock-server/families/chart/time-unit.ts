import { invalid } from '../../words/refusal.ts'
import type { Request } from '../family.ts'

const latestInSeconds = 100_000_000_000

/**
 * The body of a request with its times in milliseconds, whatever unit is in force. A deployment that counts in seconds refuses
 * milliseconds, as one that counts in these refuses seconds; some take both.
 */
export function inMilliseconds(request: Request): unknown {
  const { body } = request
  const unit = request.choice('chart/time-unit')
  if (unit === 'milliseconds' || typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const read: Record<string, unknown> = { ...body }
  const times = (['startTime', 'endTime'] as const).filter(name => typeof read[name] === 'number')
  const late = times.filter(name => (read[name] as number) >= latestInSeconds)
  if (unit === 'seconds' && late.length > 0) {
    const sentence = 'Timestamp must be in seconds'
    throw invalid(late.map(name => ({ part: 'Body', path: [name], sentence, received: read[name] })))
  }
  for (const name of times) if (!late.includes(name)) read[name] = (read[name] as number) * 1000
  return read
}
