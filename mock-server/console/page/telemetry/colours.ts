/** Colours by meaning: a severity, a status or a service has the same colour in every chart and list. */

/** The value of a custom property such as `--quiet` in the current scheme: a canvas cannot resolve it. */
export function cssColour(name: string): string {
  const probe = document.head.appendChild(document.createElement('i'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
const colourCount = 12
const seriesColour = (index: number) => cssColour(`--series-${(index % colourCount) + 1}`)

const meanings: readonly (readonly [RegExp, string])[] = [
  [/^(error|fatal|critical|alert|emergency|err|5\d\d)$/i, '--tone-error'],
  [/^(warn|warning|4\d\d)$/i, '--tone-warn'],
  [/^(info|information|notice)$/i, '--tone-info'],
  [/^(debug|trace|verbose|unset|\(empty\))$/i, '--tone-debug'],
  [/^(ok|2\d\d)$/i, '--tone-ok'],
]

/** The colour of a severity or a status; undefined for another word. */
export function severityColour(word: string): string | undefined {
  const meaning = meanings.find(([pattern]) => pattern.test(word))
  return meaning && cssColour(meaning[1])
}

/** The colour of a name, as an index. The start value 1778 gives each service of the shop a colour of its own. */
function colourIndex(name: string): number {
  let hash = 1778
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 37) + name.charCodeAt(at)) >>> 0
  return (hash >>> 7) % colourCount
}

export const colourOf = (name: string): string => severityColour(name) ?? seriesColour(colourIndex(name))

/** Different colours for the series of a chart: by the meanings of their names, else by the names if they are groups. */
export function seriesColours(items: readonly { readonly name: string }[], areGroups: boolean): readonly string[] {
  const usedColours = new Set<number>()
  const tones = new Map<string, number>()
  return items.map(({ name }, index) => {
    const tone = severityColour(name)
    if (tone) {
      const earlierUses = tones.get(tone) ?? 0
      tones.set(tone, earlierUses + 1)
      // Shades for names of one meaning, such as 200 and 201.
      return earlierUses === 0
        ? tone
        : `color-mix(in srgb, ${tone} ${Math.max(25, 100 - 35 * earlierUses)}%, ${cssColour('--card')})`
    }
    let colour = areGroups ? colourIndex(name) : index % colourCount
    while (usedColours.has(colour) && usedColours.size < colourCount) colour = (colour + 1) % colourCount
    usedColours.add(colour)
    return seriesColour(colour)
  })
}
