import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { misfits } from './on-page.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Rules that axe-core never counts as serious. */
const NOT_SERIOUS = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'focus-order-semantics',
  'form-field-multiple-labels',
  'heading-order',
  'hidden-content',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'skip-link',
  'table-duplicate-name',
]

/** Serious accessibility violations found by axe-core: all rules in light mode, colour rules in dark mode. */
export async function barriers(page: Page): Promise<readonly string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE)
    const options = {
      iframes: false,
      resultTypes: ['violations'],
      ...(colorScheme === 'dark'
        ? { runOnly: ['color-contrast', 'link-in-text-block'] }
        : { rules: Object.fromEntries(NOT_SERIOUS.map((id) => [id, { enabled: false }])) }),
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

/** Nothing on the page keeps someone with a screen reader, a keyboard or a phone from using it. */
export async function noBarriers(on: Page): Promise<void> {
  assert.deepEqual(await barriers(on), [])
  for (const width of [390, 1280]) {
    await on.setViewportSize({ width, height: 900 })
    assert.deepEqual(await misfits(on), [], `${on.url()} at ${width}`)
  }
}
