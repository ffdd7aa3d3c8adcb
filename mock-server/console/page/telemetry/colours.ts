/** Colours by meaning: a severity, a status or a service has the same colour in every chart and list. */

/** The value of a custom property such as `--quiet` in the current scheme: a canvas cannot resolve it. */
export function cssColour(name: string): string {
  const probe = document.head.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
const colours = 12
const ofSeries = (index: number) => cssColour(`--series-${(index % colours) + 1}`)

const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(error|fatal|critical|alert|emergency|err|5\d\d)$/i, '--tone-error'],
  [/^(warn|warning|4\d\d)$/i, '--tone-warn'],
  [/^(info|information|notice)$/i, '--tone-info'],
  [/^(debug|trace|verbose|unset|\(empty\))$/i, '--tone-debug'],
  [/^(ok|2\d\d)$/i, '--tone-ok'],
]

/** The colour of a severity or a status; undefined for other words. */
export function toneOf(word: string): string | undefined {
  const found = meanings.find(([pattern]) => pattern.test(word))
  return found && cssColour(found[1])
}

/** The index of a name's colour. The seed gives each service of the shop a colour of its own. */
function placeOf(name: string): number {
  let hash = 1778
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 37) + name.charCodeAt(at)) >>> 0
  return (hash >>> 7) % colours
}

export const colourOf = (name: string): string => toneOf(name) ?? ofSeries(placeOf(name))

/** Different colours for the series of a chart: by the meaning of their names, else by the names. */
export function coloursFor(items: readonly { readonly name: string }[], areGroups: boolean): readonly string[] {
  const taken = new Set<number>()
  const tones = new Map<string, number>()
  return items.map(({ name }, index) => {
    const tone = toneOf(name)
    if (tone) {
      const before = tones.get(tone) ?? 0
      tones.set(tone, before + 1)
      // Shades for names of one meaning, such as 200 and 201.
      return before === 0
        ? tone
        : `color-mix(in srgb, ${tone} ${Math.max(25, 100 - 35 * before)}%, ${cssColour('--card')})`
    }
    let place = areGroups ? placeOf(name) : index % colours
    while (taken.has(place) && taken.size < colours) place = (place + 1) % colours
    taken.add(place)
    return ofSeries(place)
  })
}
