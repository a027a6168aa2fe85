import { escapeHidden } from '../src/invisible.ts'

type Child = Node | string | undefined

/** Creates an element. Text from a kit stays text, with control and bidirectional characters escaped. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value)
  for (const child of children)
    if (child !== undefined) created.append(typeof child === 'string' ? escapeHidden(child) : child)
  return created
}

const SVG = 'http://www.w3.org/2000/svg'
const ICONS = {
  pass: 'M5 12.5l4.5 4.5L19 7.5',
  fail: 'M6 6l12 12M18 6L6 18',
  warn: 'M12 5v9M12 18v.5',
  not_run: 'M6 12h12',
} as const

/** A decorative icon in the colour of the surrounding text. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'result-icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = svg.appendChild(document.createElementNS(SVG, 'path'))
  path.setAttribute('d', ICONS[name])
  return svg
}

/** The element of page.html with this id. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`page.html has no #${id}`)
  return found as E
}

/** A field for text that is no prose. `problem` is the id of the element that says what is wrong with it. */
export const plainText = (problem: string) => ({
  spellcheck: 'false',
  autocapitalize: 'off',
  autocomplete: 'off',
  'aria-describedby': problem,
})

/** A button that chooses a file. The same one can be chosen again after it has changed on disk. */
export function filePicker(id: string, accept: string, label: string, onFile: (file: File) => void) {
  const input = element('input', { type: 'file', id, accept })
  input.addEventListener('change', () => {
    const [file] = input.files ?? []
    input.value = ''
    if (file !== undefined) onFile(file)
  })
  const button = element('span', { class: 'pick' }, input, element('label', { for: id }, label))
  return { input, button }
}

/** Opens another site, which does not learn where the reader came from. */
export function outsideLink(url: string): HTMLAnchorElement {
  return element('a', { href: url, target: '_blank', rel: 'noreferrer' }, url)
}
