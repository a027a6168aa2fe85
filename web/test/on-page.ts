import type { Page } from 'playwright-core'

export const choose = (page: Page, file: string): Promise<void> =>
  page.locator('[data-pick=files]').setInputFiles(file)

export async function verdictOf(page: Page): Promise<string> {
  return (await page.locator('#verdict').getAttribute('data-status')) ?? ''
}

export async function headingOf(page: Page): Promise<string> {
  return page.locator('.verdict-heading').innerText()
}

export const BOUNDARY =
  'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.'

/** Layout problems of the page, one line each. */
export async function misfits(page: Page): Promise<readonly string[]> {
  const [wide, broken, covered, box] = await Promise.all([
    page.evaluate(tooWide),
    page.evaluate(brokenWords),
    page.evaluate(coveredShare),
    page.getByText(BOUNDARY, { exact: true }).boundingBox(),
  ])
  const { width = 0 } = page.viewportSize() ?? {}
  return [
    ...wide.map((name) => `too wide: ${name}`),
    ...broken.map((word) => `broken: ${word}`),
    ...(covered > 0.2 ? [`bars cover ${Math.round(covered * 100)} % of the height`] : []),
    ...(box !== null && box.height > 0 ? [] : ['the boundary is not on the page']),
  ].map((line) => `${page.url()} at ${width} pixels: ${line}`)
}

/** Runs in the page: elements wider than the window or their card. */
function tooWide(): string[] {
  return [document.documentElement, ...document.querySelectorAll('.card')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((element) => `${element.tagName} ${element.className}`)
}

/** Runs in the page: how much of the height is covered by bars that do not scroll. */
function coveredShare(): number {
  const bars = [...document.querySelectorAll('body *')].filter((element) => {
    const { position, visibility } = getComputedStyle(element)
    return (
      /fixed|sticky/.test(position) &&
      visibility === 'visible' &&
      element.closest('[class*=Modal-root], dialog') === null
    )
  })
  return bars
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, top, bottom }) => width > innerWidth / 2 && bottom > 0 && top < innerHeight)
    .reduce((sum, { height }) => sum + height / innerHeight, 0)
}

/** Runs in the page: words of a table that are broken across lines. Names and paths may be. */
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

/** Runs in the page: sections of the API reference have the same shape, and axe-core needs a minute for all of them. */
export function keepSomeSections(): void {
  for (const [index, section] of document.querySelectorAll('section').entries())
    if (index % 8 !== 0 && section.id !== 'verifyReceipt') section.remove()
}
