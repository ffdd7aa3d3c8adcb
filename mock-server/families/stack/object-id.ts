import { fits } from '../../fields/formats.ts'
import type { Request } from '../family.ts'

/**
 * Whether a text that a body names is an id. Self-hosted deployments take any twelve characters for the twelve bytes of
 * an id; nothing is ever found under such an id.
 */
export const idCheck = ({ form, choice }: Request) => {
  const isAnyTaken = form === 'selfHosted' && choice('id/twelve-characters') === 'accept'
  return (text: string) => fits(text, 'object-id') || (isAnyTaken && text.length === 12)
}
