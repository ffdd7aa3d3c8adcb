import { Unreadable } from './unreadable.ts'

/** The longest filter, field or group, in characters: as long as the API lets those of a tile be. */
export const mostCharacters = 10_000

export function checkLength(text: string) {
  if (text.length > mostCharacters)
    throw new Unreadable(`Expected at most ${mostCharacters} characters`, mostCharacters)
}
