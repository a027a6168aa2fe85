// Only in test:all: special cases; reissue.test.ts has the API
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { openStore } from '../../server/src/open-store.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import {
  administer,
  form,
  type WorkspaceClient,
  workspaceClient,
} from '../../server/test/workspace-client.ts'
import { barriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { misfits } from './on-page.ts'
import { originOf, signedIn, visitor } from './visitor.ts'

interface Listed {
  readonly kit_id: string | null
  readonly key_revoked_at: string | null
}

describe('workspace names and revoked keys in Chromium', { skip: noBrowser }, () => {
  let browser: Browser
  let service: TestService
  let acme: WorkspaceClient
  let origin: string

  before(async () => {
    await builtPages()
    service = await testService()
    browser = await launchBrowser()
    origin = originOf(service)
    acme = await workspaceClient(service)
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  test('an owner names the workspace, and the page says who confirms the name', async () => {
    const { workspaceId } = acme
    await using owner = await signedIn(browser, service, { role: 'owner', workspaceId })
    const { page } = owner
    await page.goto(`${origin}/console/settings`)
    await page.getByText('Acme, confirmed by the operator').waitFor()
    await page.getByRole('textbox', { name: 'New name' }).fill('Acme Zürich AG')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Acme Zürich AG, as the workspace calls itself').waitFor()
    await page.locator('.workspace-name', { hasText: 'Acme Zürich AG' }).waitFor()
    assert.deepEqual(await barriers(page), [])
    await administer(service, async ({ workspaces }) => {
      const row = (await workspaces.list()).find((each) => each.workspace_id === workspaceId)
      assert.ok(row)
      assert.ok(await workspaces.confirmName(row.workspace_id, 'Acme Zürich AG'))
    })
    await page.getByText('Acme Zürich AG, confirmed by the operator').waitFor()
    assert.deepEqual(owner.problems, [])
  })

  test('owners see which kits no longer verify, and re-issue one or all of them', async () => {
    const { workspaceId } = acme
    const ids: string[] = []
    for (const label of ['Access review', 'Backup test', 'Penetration test']) {
      const id = await acme.submission({ label })
      await acme.upload(id, form({ 'a.txt': label }))
      assert.equal((await acme.ended(id))['status'], 'PASS')
      ids.push(id)
    }
    await using owner = await signedIn(browser, service, { role: 'owner', workspaceId })
    await using member = await signedIn(browser, service, { role: 'member', workspaceId })
    const { page } = owner
    await page.goto(`${origin}/console/submissions`)
    await page.getByText('Backup test').waitFor()
    assert.equal(await page.locator('.notice.fail').count(), 0)
    const heading = await revokeKey(service)

    const banner = page.locator('.notice.fail')
    await banner.getByText(/^3 kits were signed with a key that was revoked on \d+ \w+ \d{4}/).waitFor()
    assert.equal(await page.locator('.badge.failed', { hasText: heading }).count(), 3)
    assert.deepEqual([await barriers(page), await misfits(page)], [[], []])
    assert.deepEqual(await onPhone(page), [])

    await member.page.goto(`${origin}/console/submissions/${ids[0]}`)
    await member.page.locator('.verdict.fail', { hasText: heading }).waitFor()
    await member.page.getByText('Ask an owner to re-issue it.').waitFor()
    assert.equal(await member.page.getByRole('button', { name: 'Re-issue kit' }).count(), 0)
    assert.equal(await member.page.locator('.notice.fail').count(), 0)

    await page.goto(`${origin}/console/submissions/${ids[0]}`)
    await page.locator('.verdict.fail', { hasText: heading }).waitFor()
    assert.deepEqual([await barriers(page), await misfits(page)], [[], []])
    assert.deepEqual(await onPhone(page), [])
    await page.getByRole('button', { name: 'Re-issue kit' }).click()
    await page.getByText('Replaces the kit of').waitFor()
    await page.locator('.verdict.pass').waitFor()
    await page.getByRole('link', { name: 'an earlier submission' }).click()
    await page.getByText('Replaced by').waitFor()
    await page.getByText('The kit was re-issued.', { exact: false }).waitFor()

    await page.goto(`${origin}/console/submissions`)
    await banner.getByText('2 kits were signed').waitFor()
    await page.getByRole('button', { name: 'Re-issue all 2 kits' }).click()
    await banner.waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Re-issued', { exact: true }).count(), 3)
    assert.deepEqual([owner.problems, member.problems], [[], []])
  })

  test('the home page and the page of the kit say the same words about a revoked key', async () => {
    await using someone = await visitor(browser)
    await someone.page.goto(origin)
    await someone.page.getByText(/^Signing key revoked on \d{4}-\d{2}-\d{2}\. Kits signed with it/).waitFor()
    const { data: submissions } = (await acme.get('/v1/submissions')).json as { data: Listed[] }
    const revoked = submissions.find(({ key_revoked_at }) => key_revoked_at !== null)
    await someone.page.goto(`${origin}/verify/${revoked?.kit_id}`)
    await someone.page.getByText(`Signing key revoked on ${revoked?.key_revoked_at?.slice(0, 10)}`).waitFor()
    await someone.page.getByText('Ask the supplier for a re-issued kit').waitFor()
  })
})

/** Revokes the active key and returns what every verifier says about its kits. */
async function revokeKey(service: TestService): Promise<string> {
  await using store = await openStore(service.config)
  const active = (await store.signingKeys.list()).find(({ state }) => state === 'active')
  const change = await store.signingKeys.revoke(active?.kid ?? '')
  assert.equal(change.is, 'done')
  const revokedAt = change.is === 'done' ? change.ended?.revoked_at : undefined
  return `Signing key revoked on ${revokedAt?.slice(0, 10)}`
}

/** What does not fit on a small screen. */
async function onPhone(page: Page): Promise<readonly string[]> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 740 })
  const found = await misfits(page)
  if (size !== null) await page.setViewportSize(size)
  return found
}
