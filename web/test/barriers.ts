import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What axe-core finds serious or worse, in light and in dark, one line each. */
export async function barriers(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
    await page
      .evaluate(`typeof axe === 'undefined' ? ${JSON.stringify(true)} : false`)
      .then(async (isMissing) => {
        if (isMissing === true) await page.evaluate(AXE)
      })
    const violations = await page.evaluate<readonly Violation[]>(
      `axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )
    for (const { id, impact, help, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      for (const { html, failureSummary } of nodes)
        found.push(
          `${page.url()} ${colorScheme}: ${id} (${impact}): ${help}: ${html.slice(0, 200)} ${failureSummary ?? ''}`,
        )
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  return found
}
