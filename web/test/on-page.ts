import type { Page } from 'playwright-core'

export const choose = (page: Page, file: string): Promise<void> =>
  page.locator('[data-pick=files]').setInputFiles(file)

/** The word of the result, once there is one. */
export async function verdictOf(page: Page): Promise<string> {
  return page.locator('.verdict-word').innerText()
}

/** A drop as the system makes it, with real files and folders. */
export async function drop(page: Page, ...files: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const data = { items: [], files: [...files], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data })
  }
  await devtools.detach()
}

export const BOUNDARY =
  'Integrity and issuance evidence only. Not audit, certification, or compliance guarantee.'

/** What is wrong with how the page stands in its window, one line each. */
export async function misfits(page: Page): Promise<readonly string[]> {
  const box = await page.getByText(BOUNDARY, { exact: true }).boundingBox()
  const [width, seen, height] = await page.evaluate(() => {
    const { scrollWidth, clientWidth, clientHeight } = document.documentElement
    return [scrollWidth, clientWidth, clientHeight] as const
  })
  const found = (await page.evaluate(brokenWords)).map((word) => `broken: ${word}`)
  if (width > seen) found.push(`${width} pixels wide`)
  if (box === null || box.y + box.height > height) found.push('the boundary is out of view')
  return found.map((line) => `${page.url()} at ${seen} pixels: ${line}`)
}

/** In the page: words and dates of a table that begin on one line and end on another. Names and paths may. */
function brokenWords(): string[] {
  const broken: string[] = []
  for (const cell of document.querySelectorAll('.table td:not(.long, .path)')) {
    if (getComputedStyle(cell).display !== 'table-cell') continue
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
