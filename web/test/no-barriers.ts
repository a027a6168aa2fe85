import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { barriers } from './barriers.ts'
import { misfits } from './on-page.ts'

/** Nothing on the page keeps someone with a screen reader, a keyboard or a phone from using it. */
export async function noBarriers(on: Page): Promise<void> {
  assert.deepEqual(await barriers(on), [])
  for (const width of [390, 1280]) {
    await on.setViewportSize({ width, height: 900 })
    assert.deepEqual(await misfits(on), [], `${on.url()} at ${width}`)
  }
}
