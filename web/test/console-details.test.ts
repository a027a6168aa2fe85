import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { drop } from '../../kit/embed/test/on-page.ts'
import { openStore } from '../../server/src/open-store.ts'
import { expireKits } from '../../server/src/maintenance/expire-kits.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { administer, form, workspaceClient } from '../../server/test/workspace-client.ts'
import { builtPages } from './built-pages.ts'
import { barriers } from './barriers.ts'
import { originOf, signedIn, type Visitor } from './visitor.ts'
import { misfits } from './on-page.ts'

describe('the console in Chromium, where things go otherwise', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-console-'))
  let browser: Browser
  let service: TestService
  let origin: string
  let member: Visitor
  let viewer: Visitor
  let owner: Visitor

  before(async () => {
    await builtPages()
    service = await testService()
    browser = await launchBrowser()
    origin = originOf(service)
    ;[member, viewer, owner] = await Promise.all([
      signedIn(browser, service, { role: 'member' }),
      signedIn(browser, service, { role: 'viewer' }),
      signedIn(browser, service, { role: 'owner' }),
    ])
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  test('a dropped folder keeps its paths', async () => {
    mkdirSync(join(folder, 'evidence/minutes'), { recursive: true })
    writeFileSync(join(folder, 'evidence/minutes/march.txt'), 'so it was\n')
    const { page } = member
    await page.goto(`${origin}/console/new`)
    await page.getByLabel('What it is about').fill('A folder')
    await drop(page, join(folder, 'evidence'))
    await page.locator('[data-file="evidence/minutes/march.txt"]').waitFor()
    await page.getByText('Nothing stands against sending this').waitFor()
    await page.getByRole('button', { name: 'Send and seal' }).click()
    await page.locator('.verdict.pass').waitFor()
    await page.getByRole('tab', { name: 'Inventory' }).click()
    await page.getByText('data/evidence/minutes/march.txt').waitFor()
  })

  test('a kit that is older than those which are listed is compared with the others of its scope', async () => {
    const acme = await workspaceClient(service, { credits: 5 })
    const kits: unknown[] = []
    for (const label of ['Long ago', 'Long ago', 'Newer', 'Newer']) {
      const id = await acme.submission({ label })
      await acme.upload(id, form({ 'a.txt': `${kits.length}` }))
      kits.push((await acme.ended(id))['kit_id'])
    }
    await using own = await signedIn(browser, service, { role: 'viewer', workspaceId: acme.workspaceId })
    // As where so many are newer that the old ones are not among them.
    await own.page.route('**/console/api/submissions?status=PASS&limit=100', async (route) => {
      const response = await route.fetch()
      const { submissions } = (await response.json()) as { submissions: { label: string }[] }
      const newer = submissions.filter(({ label }) => label === 'Newer')
      await route.fulfill({ json: { submissions: newer, next_cursor: null } })
    })
    await own.page.goto(`${origin}/console/compare?to=${String(kits[1])}`)
    await own.page.getByText('data/a.txt').waitFor()
    assert.deepEqual(own.problems, [])
    await own.page.goto(`${origin}/console/compare?from=x&to=Newer`)
    await own.page.getByText('Your workspace has no kit with one of the ids').waitFor()
    await own.page.getByLabel('Later kit').first().waitFor()
  })

  test('of what is not there the console says so, and leads to what is, without offering to try again', async () => {
    const { page } = member
    for (const id of ['sub_AAAAAAAAAAAAAAAAAAAAAAAAAAA', 'x', '..%2Fme']) {
      await page.goto(`${origin}/console/submissions/${id}`)
      await page.getByRole('heading', { name: 'No such submission' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    }
    assert.deepEqual(await barriers(page), [])
    const leave = async (): Promise<void> => {
      await page.getByRole('link', { name: 'All submissions' }).click()
      await page.getByRole('heading', { name: 'Submissions', level: 1 }).waitFor()
    }
    await leave()
    const kit = 'kit_AAAAAAAAAAAAAAAAAAAAAAAAAAA'
    await page.goto(`${origin}/console/compare?from=${kit}&to=${kit}`)
    await page.getByText('Your workspace has no kit with one of the ids').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    await leave()
  })

  test('a service on this machine is asked while the machine has no network', async () => {
    const { page } = member
    await page.goto(`${origin}/console`)
    await page.getByRole('heading', { name: 'Submissions', level: 1 }).waitFor()
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await page.getByRole('link', { name: 'Credits' }).click()
    await page.getByText('Granted').waitFor()
  })

  test('what was not answered can be asked for again', async () => {
    const { page } = member
    await page.route('**/console/api/v1/audit', (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('link', { name: 'Audit trail' }).click()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute('**/console/api/v1/audit')
    await again.click()
    await page.getByText('A submission was opened').first().waitFor()
  })

  test('of a kit past its retention the page offers what is left, and nothing that is gone', async () => {
    await administer(service, (admin) => admin.plans.create('brief', { retentionDays: 30 }))
    const acme = await workspaceClient(service, { plan: 'brief' })
    const id = await acme.submission()
    await acme.upload(id, form({ 'policy.txt': 'we lock the door' }))
    await acme.ended(id)
    await using store = await openStore(service.config)
    const clock = { now: () => Date.now() + 31 * 24 * 60 * 60 * 1000 }
    assert.equal(await expireKits({ ...store, clock, log: { error: assert.fail } }), 1)
    await using somebody = await signedIn(browser, service, { role: 'viewer', workspaceId: acme.workspaceId })
    const { page } = somebody
    await page.goto(`${origin}/console/submissions/${id}`)
    await page.getByText('Its manifest and receipt are left here').waitFor()
    for (const name of ['Download kit.zip', 'Verify now in this browser', 'Binder'])
      assert.equal(await page.getByText(name).count(), 0, name)
    await page.getByRole('tab', { name: 'Inventory' }).click()
    await page.getByText('data/policy.txt').waitFor()
    await page.getByRole('tab', { name: 'Deliverables' }).click()
    assert.deepEqual(await page.locator('.deliverables a').allInnerTexts(), ['manifest.json', 'receipt.json'])
    assert.deepEqual(await barriers(page), [])
  })

  test('a viewer sees what is there, and is told why the rest is not for them', async () => {
    const { page } = viewer
    const button = page.getByRole('button', { name: 'New submission' }).first()
    assert.equal(await button.isDisabled(), true)
    await page.getByText('Sending evidence is for a member or an owner; you are a viewer.').first().waitFor()
    for (const [place, why] of [
      ['API keys', 'Managing API keys is for an owner'],
      ['Members', 'Inviting and changing members is for an owner'],
      ['Workspace', 'Changing the workspace is for an owner'],
    ] as const) {
      await page.getByRole('link', { name: place, exact: true }).click()
      await page.getByText(why).waitFor()
      assert.deepEqual(await barriers(page), [])
    }
  })

  test('whoever is removed is shown the way in at once', async () => {
    await owner.page.getByRole('link', { name: 'Members', exact: true }).click()
    const email = (await viewer.page.locator('.side-email').innerText()).trim()
    await owner.page.getByRole('button', { name: `Remove ${email}` }).click()
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await viewer.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  })

  test('whoever came by a link is told where they begin that they have no passkey, until they have one', async () => {
    const { page } = owner
    await page.goto(`${origin}/console`)
    const notice = page.getByText('You have no passkey: your session came from a link.')
    await notice.waitFor()
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await notice.waitFor()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Remove Chrome' }).waitFor()
    await notice.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Submissions', exact: true }).click()
    await page.getByRole('link', { name: 'A folder' }).waitFor()
    assert.equal(await notice.count(), 0)
  })

  test('what went wrong in a dialog is not said when it is opened again', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/keys`)
    const dialog = page.getByRole('dialog')
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Create a key' }).click()
      await dialog.waitFor()
    }
    await open()
    await page.route('**/console/api/keys', (route) => route.abort())
    await dialog.getByLabel('What it is for').fill('Collector')
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    await dialog.getByText('The service cannot be reached').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.unroute('**/console/api/keys')
    await open()
    assert.equal(await dialog.getByRole('alert').count(), 0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a dialog is left by Escape, and leads back to where it was opened', async () => {
    const { page } = owner
    await page.getByRole('link', { name: 'API keys', exact: true }).click()
    const create = page.getByRole('button', { name: 'Create a key' })
    await create.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What it is for').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    assert.equal(await dialog.locator(':focus').count(), 1, 'the focus stays within')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await create.and(page.locator(':focus')).waitFor()
  })

  test('at no width is a page wider than the screen, a word broken in two or the boundary out of view', async () => {
    const { page } = owner
    const found: string[] = []
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What it is for').fill('collector-of-the-archive '.repeat(8))
    await dialog.getByRole('button', { name: 'Create a key' }).click()
    await page.locator('.secret-value').waitFor()
    const look = async (): Promise<void> => {
      // A page may have several: the first is gone when all are.
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      for (const [width, height] of [
        [1280, 800],
        [768, 1024],
        [360, 740],
      ] as const) {
        await page.setViewportSize({ width, height })
        found.push(...(await misfits(page)))
      }
    }
    await page.goto(`${origin}/console`)
    await page.getByRole('link', { name: 'A folder' }).click()
    await page.locator('.verdict.pass').waitFor()
    await look()
    await page.goto(`${origin}/console/nowhere`)
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await look()
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    await page.keyboard.press('Escape')
    assert.equal(await menu.getAttribute('aria-expanded'), 'false')
    for (const place of [
      'Submissions',
      'Compare kits',
      'API keys',
      'Credits',
      'Members',
      'Audit trail',
      'Workspace',
      'Your account',
    ]) {
      await menu.click()
      await page.getByRole('navigation').getByRole('link', { name: place, exact: true }).click()
      await page.getByRole('heading', { name: place, level: 1 }).waitFor()
      await look()
    }
    assert.deepEqual(found, [])
  })

  test('the name of the service leads out of the console to the start page', async () => {
    await owner.page.getByRole('link', { name: 'kitseal, start page' }).click()
    await owner.page.getByText('What it does not prove').waitFor()
  })
})
