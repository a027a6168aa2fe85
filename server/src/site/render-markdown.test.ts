import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGuidePages } from './guide-pages.ts'
import { renderMarkdown, sectionsOf } from './render-markdown.ts'

const targets = { linkUrl: (href: string) => href, imageUrl: (href: string) => `data:${href}` }

test('a picture has its dark variant beside it, and other images do not', () => {
  const html = renderMarkdown('![The "board"](board-light.webp) ![Parts](parts.svg)', targets)
  assert.equal(
    html,
    '<p><picture><source media="(prefers-color-scheme: dark)" srcset="data:board-dark.webp">' +
      '<img src="data:board-light.webp" alt="The &quot;board&quot;"></picture> <img src="data:parts.svg" alt="Parts"></p>\n',
  )
})

test('the pictures of the docs are in their pages', () => {
  const page = readGuidePages().find(({ file }) => file === 'docs/tutorials/first-verification.md')
  assert.match(page?.html ?? '', /srcset="data:image\/webp;base64,[^"]+"><img src="data:image\/webp;base64,/)
  assert.doesNotMatch(page?.markdown ?? '', /webp/)
})

test('rows and list items that begin with a name or a term can be linked to and found, and others cannot', () => {
  const text =
    '# Words\n\n- `log_frozen`: it waits\n- **log proof**: leads from a\n  receipt\n- **Note** that it is `one`.\n'
  const html = renderMarkdown(text, targets)
  assert.deepEqual(
    Array.from(html.matchAll(/<li id="([^"]+)"/g), ([, id]) => id),
    ['row.log_frozen', 'row.log-proof'],
  )
  assert.deepEqual(
    sectionsOf(text).map((section) => [section.heading, section.anchor, section.text]),
    [
      ['Words', 'words', 'Note that it is one.'],
      ['log_frozen', 'row.log_frozen', 'it waits'],
      ['log proof', 'row.log-proof', 'leads from a receipt'],
    ],
  )
})
