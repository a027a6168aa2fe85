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

/** Serious accessibility violations found by axe-core: all rules in light mode, colour rules in dark mode. */
export async function barriers(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Built pages set the theme by script; /docs has no script.
    if ((await page.locator('html[data-mantine-color-scheme]').count()) > 0)
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE)
    const options = {
      iframes: false,
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}),
    }
    const violations = await page.evaluate<readonly Violation[]>(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
    )
    for (const { id, impact, help, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      for (const { html, failureSummary = '' } of nodes)
        found.push(
          `${page.url()} ${colorScheme}: ${id} (${impact}): ${help}: ${html.slice(0, 200)} ${failureSummary}`,
        )
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  return found
}
