import { element } from './element.ts'

/** Headings, lists, emphasis, code and links of a markdown text, as elements; everything else stays text. */
export function markdown(text: string): HTMLElement {
  const blocks = text
    .split(/\n{2,}/)
    .map(block => block.replace(/\s+$/, ''))
    .filter(Boolean)
  return element('div.markdown', blocks.map(renderBlock))
}

function renderBlock(block: string): HTMLElement {
  const fence = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(block)
  if (fence) return element('pre', fence[1]!)
  const heading = /^(#{1,6}) +(.*)/.exec(block)
  if (heading) {
    const rest = block.slice(heading[0].length).trim()
    // They stand below the heading of a tile, whatever they begin with.
    const head = element('h3', { class: heading[1]!.length === 1 ? 'large' : '' }, inline(heading[2]!))
    return rest ? element('div', [head, renderBlock(rest)]) : head
  }
  const lines = block.split('\n')
  if (lines.every(line => /^\s*[-*+] /.test(line)))
    return element('ul', [lines.map(line => element('li', inline(line.replace(/^\s*[-*+] /, ''))))])
  if (lines.every(line => /^\s*\d+[.)] /.test(line)))
    return element('ol', [lines.map(line => element('li', inline(line.replace(/^\s*\d+[.)] /, ''))))])
  return element('p', inline(lines.join(' ')))
}

const marks = /\*\*(.+?)\*\*|(?<![\w*])[*_](\S(?:.*?\S)?)[*_](?!\w)|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/g

function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let last = 0
  for (const found of text.matchAll(marks)) {
    const [whole, strong, emphasis, code, words, address] = found
    parts.push(text.slice(last, found.index))
    if (strong) parts.push(element('strong', inline(strong)))
    else if (emphasis) parts.push(element('em', inline(emphasis)))
    else if (code) parts.push(element('code', code))
    else parts.push(element('a', { href: address!, rel: 'noreferrer noopener', target: '_blank' }, words!))
    last = found.index + whole.length
  }
  return [...parts, text.slice(last)]
}
