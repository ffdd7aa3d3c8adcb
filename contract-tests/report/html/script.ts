/** The script of the page, which also works without it. After a change, put the new hash into ../html.ts: a test prints it. */
export const script = `
'use strict'
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const filters = document.querySelector('.filters')
const search = filters.querySelector('input[type=search]')
const matchCount = filters.querySelector('output')
const toggle = filters.querySelector('.toggle')
const noMatch = document.querySelector('.more')
const rules = all('.rule').map(element => ({
  element,
  level: element.dataset.level,
  verdicts: all('.verdict', element),
  text: all('h3, .id, .detail, .seen, .exchange > summary', element).map(part => part.textContent).join(' ').toLowerCase(),
}))

function filter() {
  const chosen = name => {
    const values = all('input[name=' + name + ']:checked', filters).map(input => input.value)
    return value => values.length === 0 || values.includes(value)
  }
  const [level, outcome, form] = ['level', 'outcome', 'form'].map(chosen)
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  let shown = 0
  for (const rule of rules) {
    for (const verdict of rule.verdicts) verdict.hidden = !(outcome(verdict.dataset.outcome) && form(verdict.dataset.form))
    const fits = level(rule.level) && words.every(word => rule.text.includes(word))
    rule.element.hidden = !fits || rule.verdicts.every(verdict => verdict.hidden)
    if (!rule.element.hidden) shown++
  }
  for (const section of all('.section')) section.hidden = all('.rule:not([hidden])', section).length === 0
  matchCount.textContent = shown === rules.length ? rules.length + ' rules' : shown + ' of ' + rules.length + ' rules'
  noMatch.hidden = shown > 0
}

function reveal() {
  const id = decodeURIComponent(location.hash.slice(1))
  const element = id && document.getElementById(id)
  if (!element) return
  if (element.closest('[hidden]')) { filters.reset(); filter() }
  if (element.matches('details')) element.open = true
  element.scrollIntoView()
}

async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const range = document.createRange()
    range.selectNodeContents(button.previousElementSibling)
    getSelection().removeAllRanges()
    getSelection().addRange(range)
    if (!document.execCommand('copy')) return
  }
  button.textContent = 'Copied'
  setTimeout(() => { button.textContent = 'Copy' }, 1500)
}

for (const place of all('.curl')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-live', 'polite')
  button.addEventListener('click', () => copy(button, place.querySelector('pre').textContent))
  place.append(button)
}
filters.addEventListener('input', filter)
filters.addEventListener('submit', event => event.preventDefault())
filters.addEventListener('reset', () => setTimeout(filter))
toggle.addEventListener('click', () => {
  const open = toggle.textContent === 'Open all'
  for (const { element } of rules) element.open = open
  toggle.textContent = open ? 'Close all' : 'Open all'
})
addEventListener('hashchange', reveal)
addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input')) return
  event.preventDefault()
  search.focus()
})
filters.hidden = false
filter()
reveal()
`
