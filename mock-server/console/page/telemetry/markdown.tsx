import type { ComponentChild } from 'preact'

/** Markdown: headings, lists, emphasis, links, and code, inline or in fences without empty lines. The rest is plain text. */
export const Markdown = ({ text }: { readonly text: string }) => (
  <div class="stack markdown">
    {text
      .split(/\n{2,}/)
      .map(block => block.replace(/\s+$/, ''))
      .filter(Boolean)
      .map(renderBlock)}
  </div>
)

function renderBlock(block: string): ComponentChild {
  const fence = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(block)
  if (fence) return <pre>{fence[1]}</pre>
  const heading = /^(#{1,6}) +(.*)/.exec(block)
  if (heading) {
    const rest = block.slice(heading[0].length).trim()
    // The title of the tile is an h2.
    const head = <h3 class={heading[1]!.length === 1 ? 'large' : ''}>{renderInline(heading[2]!)}</h3>
    return rest ? [head, renderBlock(rest)] : head
  }
  const lines = block.split('\n')
  const isList = (mark: RegExp) => lines.every(line => mark.test(line))
  const renderItems = (mark: RegExp) => lines.map(line => <li>{renderInline(line.replace(mark, ''))}</li>)
  if (isList(bullet)) return <ul>{renderItems(bullet)}</ul>
  return isList(itemNumber) ? <ol>{renderItems(itemNumber)}</ol> : <p>{renderInline(lines.join(' '))}</p>
}

const bullet = /^\s*[-*+] /
const itemNumber = /^\s*\d+[.)] /

const inlineMarks =
  /\*\*(.+?)\*\*|(?<![\w*])[*_](\S(?:.*?\S)?)[*_](?!\w)|`([^`]+)`|\[([^\]]+)\]\((https?:\/\/[^)\s]+)\)/g

function renderInline(text: string): ComponentChild[] {
  const parts: ComponentChild[] = []
  let position = 0
  for (const match of text.matchAll(inlineMarks)) {
    const [marked, strong, emphasis, code, label, url] = match
    parts.push(text.slice(position, match.index))
    if (strong) parts.push(<strong>{renderInline(strong)}</strong>)
    else if (emphasis) parts.push(<em>{renderInline(emphasis)}</em>)
    else if (code) parts.push(<code>{code}</code>)
    else
      parts.push(
        <a href={url!} rel="noreferrer noopener" target="_blank">
          {label!}
        </a>,
      )
    position = match.index + marked.length
  }
  return [...parts, text.slice(position)]
}
