/** Forty hexadecimal digits that stand for a text: the same for the same text, another for any other. Not a secret's guard. */
export const digest = (text: string) => seeds.map(seed => mix(text, seed).toString(16).padStart(8, '0')).join('')

const seeds = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1]

function mix(text: string, seed: number): number {
  let hash = seed ^ text.length
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    hash = (hash << 13) | (hash >>> 19)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
