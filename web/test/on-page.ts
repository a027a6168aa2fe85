import type { Page } from 'playwright-core'

export const choose = (page: Page, file: string): Promise<void> =>
  page.locator('[data-pick=files]').setInputFiles(file)

/** The word of the result, once there is one. */
export async function verdictOf(page: Page): Promise<string> {
  return page.locator('.verdict-word').innerText()
}

export const BOUNDARY =
  'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.'

/** What is wrong with how the page stands in its window, one line each. */
export async function misfits(page: Page): Promise<readonly string[]> {
  const [wide, broken, box] = await Promise.all([
    page.evaluate(tooWide),
    page.evaluate(brokenWords),
    page.getByText(BOUNDARY, { exact: true }).boundingBox(),
  ])
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const isInView = box !== null && box.y + box.height <= height
  return [
    ...wide.map((name) => `wider than its place: ${name}`),
    ...broken.map((word) => `broken: ${word}`),
    ...(isInView ? [] : ['the boundary is out of view']),
  ].map((line) => `${page.url()} at ${width} pixels: ${line}`)
}

/** In the page: what it holds that is wider than the window or than its card. */
function tooWide(): string[] {
  return [document.documentElement, ...document.querySelectorAll('.card')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((element) => `${element.tagName} ${element.className}`)
}

/** In the page: words and dates of a table that begin on one line and end on another. Names and paths may. */
function brokenWords(): string[] {
  const broken: string[] = []
  for (const cell of document.querySelectorAll('.table td:not(.long, .path), .table .long > code')) {
    if (getComputedStyle(cell.closest('td') ?? cell).display !== 'table-cell') continue
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    }
  }
  return broken
}
