// Only in test:all: special cases; journey.trial.ts has the way through the console
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { zipOf } from '../../examiner/test/evidence-samples.ts'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { drop } from '../../kit/embed/test/on-page.ts'
import { systemClock } from '../../server/src/runtime/clock.ts'
import { freezeLog } from '../../server/src/log/freeze-log.ts'
import { resumeLog } from '../../server/src/log/resume-log.ts'
import { readSecret } from '../../server/src/database/secret.ts'
import { openStore } from '../../server/src/open-store.ts'
import { expireKits } from '../../server/src/maintenance/expire-kits.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { administer, form, workspaceClient } from '../../server/test/workspace-client.ts'
import { builtPages } from './built-pages.ts'
import { barriers } from './barriers.ts'
import { originOf, signedIn, type Visitor } from './visitor.ts'
import { misfits } from './on-page.ts'

describe('special cases of the console in Chromium', { skip: noBrowser }, () => {
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
    await page.getByRole('textbox', { name: 'Name' }).fill('A folder')
    await drop(page, join(folder, 'evidence'))
    await page.locator('[data-file="evidence/minutes/march.txt"]').waitFor()
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.locator('.verdict.pass').waitFor()
    await page.getByRole('button', { name: 'evidence/minutes/march.txt' }).waitFor()
  })

  test('a kit that is too old for the list can be compared with kits of the same name', async () => {
    const acme = await workspaceClient(service, { credits: 5 })
    const kits: unknown[] = []
    for (const label of ['Long ago', 'Long ago', 'Newer', 'Newer']) {
      const id = await acme.submission({ label })
      await acme.upload(id, form({ 'a.txt': `${kits.length}` }))
      kits.push((await acme.ended(id))['kit_id'])
    }
    await using own = await signedIn(browser, service, { role: 'viewer', workspaceId: acme.workspaceId })
    // Simulates a list that no longer includes the old kits.
    await own.page.route('**/v1/submissions?status=PASS&limit=100', async (route) => {
      const response = await route.fetch()
      const { data: submissions } = (await response.json()) as { data: { label: string }[] }
      const newer = submissions.filter(({ label }) => label === 'Newer')
      await route.fulfill({ json: { data: newer, next_cursor: null, boundary: '' } })
    })
    await own.page.goto(`${origin}/console/compare?to=${String(kits[1])}`)
    await own.page.getByText('data/a.txt').waitFor()
    assert.deepEqual(own.problems, [])
    await own.page.goto(`${origin}/console/compare?from=x&to=Newer`)
    await own.page.getByText('Kit not found in this workspace').waitFor()
    await own.page.getByLabel('Later kit').first().waitFor()
  })

  test('the list finds a kit by a file name, tags it, and two kits are compared from it', async () => {
    const acme = await workspaceClient(service, { credits: 5 })
    for (const [label, file] of [
      ['Spring', 'hr/payroll.csv'],
      ['Autumn', '2026-Payroll.csv'],
      ['Other', 'notes.txt'],
    ] as const) {
      const id = await acme.submission({ label, series: 'Payroll' })
      await acme.upload(id, form({ [file]: `${label},b\n` }))
      await acme.ended(id)
    }
    await using own = await signedIn(browser, service, { role: 'member', workspaceId: acme.workspaceId })
    const { page } = own
    await page.goto(`${origin}/console/submissions?q=payroll`)
    await page.getByRole('link', { name: 'Autumn' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Other' }).count(), 0)
    await page.getByLabel('Select all shown').check()
    await page.getByRole('button', { name: 'Add tag' }).click()
    await page.getByLabel('Tag', { exact: true }).last().fill('finance')
    await page.getByRole('dialog').getByRole('button', { name: 'Add tag' }).click()
    await page.getByRole('button', { name: 'Show submissions with tag finance' }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0, 'members cannot delete')
    await page.getByLabel('Select all shown').check()
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('These kits have different names.').waitFor()
    await page.goto(`${origin}/console/series?name=Payroll`)
    await page.getByText('First of the series').waitFor()
    assert.deepEqual(await barriers(page), [])
    assert.deepEqual(own.problems, [])
  })

  test('a missing submission or kit is reported with a link to the list, and without a retry button', async () => {
    const { page } = member
    for (const id of ['sub_AAAAAAAAAAAAAAAAAAAAAAAAAAA', 'x', '..%2Fme']) {
      await page.goto(`${origin}/console/submissions/${id}`)
      await page.getByRole('heading', { name: 'Submission not found' }).waitFor()
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
    await page.getByText('Kit not found in this workspace').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    await leave()
  })

  test('a local service is used while the browser is offline', async () => {
    const { page } = member
    await page.goto(`${origin}/console/submissions`)
    await page.getByRole('heading', { name: 'Submissions', level: 1 }).waitFor()
    await page.evaluate(() => dispatchEvent(new Event('offline')))
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('No requests yet').waitFor()
  })

  const AUDIT = /\/v1\/audit\?/
  test('a failed request can be retried', async () => {
    const { page } = member
    await page.route(AUDIT, (route) => route.fulfill({ status: 503, body: '' }))
    await page.getByRole('link', { name: 'Audit log' }).click()
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await page.unroute(AUDIT)
    await again.click()
    await page.getByText('Submission created').first().waitFor()
  })

  test('after retention no evidence can be downloaded', async () => {
    await administer(service, (admin) => admin.plans.create('brief', { retentionDays: 30 }))
    const acme = await workspaceClient(service, { plan: 'brief' })
    const id = await acme.submission()
    await acme.upload(id, form({ 'policy.txt': 'we lock the door' }))
    await acme.ended(id)
    await using store = await openStore(service.config)
    const clock = { now: () => Date.now() + 31 * 24 * 60 * 60 * 1000 }
    assert.equal(await expireKits({ ...store, clock, log: { error: assert.fail } }), 1)
    await using other = await signedIn(browser, service, { role: 'viewer', workspaceId: acme.workspaceId })
    const { page } = other
    await page.goto(`${origin}/console/submissions/${id}`)
    await page.getByText('The manifest and receipt remain').waitFor()
    for (const name of ['Download kit.zip', 'Verify in this browser', 'Binder'])
      assert.equal(await page.getByText(name).count(), 0, name)
    await page.getByText('data/policy.txt').waitFor()
    await page.getByRole('tab', { name: 'Downloads' }).click()
    assert.deepEqual(await page.locator('.deliverables a').allInnerTexts(), [
      'manifest.json',
      'receipt.json',
      'custody.pdf',
      'custody.pdf with a draft certification',
      'custody.json',
    ])
    assert.deepEqual(await barriers(page), [])
  })

  test('while the log is frozen, everyone reads why no kits are issued', async () => {
    await service.issue()
    await using store = await openStore(service.config)
    await freezeLog(store.db, 'the database was restored from a backup', systemClock)
    await using other = await signedIn(browser, service, { role: 'viewer' })
    const { page } = other
    await page.goto(`${origin}/console/submissions`)
    await page.getByText('No kits are issued at the moment').waitFor()
    await page.getByText('first: the database was restored from a backup. You can submit evidence').waitFor()
    assert.deepEqual(await barriers(page), [])
    assert.equal((await resumeLog(store)).is, 'resumed')
    await page.reload()
    await page.getByRole('link', { name: 'Audit log' }).waitFor()
    assert.equal(await page.getByText('No kits are issued').count(), 0)
  })

  test('a viewer gets no form or button that they cannot use, and reads why', async () => {
    const { page } = viewer
    for (const [path, why] of [
      ['submissions', 'Only members, managers and owners can submit evidence. Your role is viewer.'],
      ['new', 'Only members, managers and owners can submit evidence. Your role is viewer.'],
      ['requests/new', 'Only members, managers and owners can manage requests'],
      ['profiles', 'Only managers and owners can change profiles'],
      ['keys', 'Only owners can manage API keys'],
      ['members', 'Only owners can manage members'],
      ['settings', 'Only owners can change the workspace'],
    ] as const) {
      await page.goto(`${origin}/console/${path}`)
      await page.getByText(why).first().waitFor()
      assert.equal(await page.locator('main :disabled').count(), 0, path)
      if (path !== 'submissions') assert.equal(await page.locator('main form').count(), 0, path)
      assert.deepEqual(await barriers(page), [])
    }
  })

  test('dates that can be read in two ways are asked about', async () => {
    const { page } = member
    await page.goto(`${origin}/console/requests/new`)
    const list = 'id,title,due\nA-1,Users,03/04/2027\n'
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(list) }
    await page.locator('[data-pick=list]').setInputFiles(file)
    await page.getByText('The dates in the list can be read in two ways').waitFor()
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: '4 March 2027' }).click()
    await page.getByText('1 item imported from list.csv.').waitFor()
  })

  test('archives are unpacked into folders, and the page says how many files that makes', async () => {
    const { page } = member
    await page.goto(`${origin}/console/new`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Two archives')
    const zips = ['a', 'b'].map((name) => {
      const buffer = Buffer.from(zipOf({ 'notes.txt': name, 'more.txt': 'more' }))
      return { name: `${name}.zip`, mimeType: 'application/zip', buffer }
    })
    await page.locator('[data-pick=files]').setInputFiles(zips)
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.getByText('2 files uploaded, 4 files in the kit: ZIP archives are unpacked.').waitFor()
    await page.getByRole('button', { name: 'b/notes.txt' }).waitFor()
  })

  test('a session that ended as stolen says so on the sign-in page', async () => {
    await using victim = await signedIn(browser, service, { role: 'member' })
    const [session] = await victim.context.cookies()
    await victim.page.goto('about:blank')
    await using store = await openStore(service.config)
    const ended = { ended_at: new Date().toISOString(), ended_as: 'stolen' } as const
    const { numUpdatedRows } = await store.db
      .updateTable('sessions')
      .set(ended)
      .where('sha256', '=', readSecret(session?.value) ?? '')
      .executeTakeFirst()
    assert.equal(numUpdatedRows, 1n)
    await victim.page.goto(`${origin}/console`)
    await victim.page.getByText('an older copy of it was used').waitFor()
    assert.deepEqual(victim.problems, [])
  })

  test('before a member is removed, their keys are listed to keep or revoke', async () => {
    await using leaver = await signedIn(browser, service, { role: 'owner' })
    for (const name of ['Build', 'Old']) {
      await leaver.page.goto(`${origin}/console/keys`)
      await leaver.page.getByRole('button', { name: 'Create API key' }).click()
      const dialog = leaver.page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByRole('button', { name: 'Create API key' }).click()
      await leaver.page.getByRole('button', { name: 'I have saved it' }).click()
    }
    const { page } = owner
    await page.goto(`${origin}/console/members`)
    const email = (await leaver.page.locator('.side-email').innerText()).trim()
    await page.getByRole('button', { name: `Remove ${email}` }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('API key “Old”').isChecked(), false)
    await dialog.getByLabel('API key “Build”').check()
    assert.deepEqual(await barriers(page), [])
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`${origin}/console/keys`)
    await page.getByRole('row', { name: /Build.*Active/ }).waitFor()
    await page.getByRole('row', { name: /Old.*Revoked/ }).waitFor()
  })

  test('a removed member is signed out at once', async () => {
    await owner.page.getByRole('link', { name: 'Members', exact: true }).click()
    const email = (await viewer.page.locator('.side-email').innerText()).trim()
    await owner.page.getByRole('button', { name: `Remove ${email}` }).click()
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await viewer.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  })

  test('a member without a passkey is reminded until they add one', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/submissions`)
    const notice = page.getByText('You have no passkey: you signed in with a link.')
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

  test('a reopened dialog does not show the previous error', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/keys`)
    const dialog = page.getByRole('dialog')
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Create API key' }).click()
      await dialog.waitFor()
    }
    await open()
    await page.route('**/v1/keys', (route) => route.abort())
    await dialog.getByLabel('Name').fill('Collector')
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await dialog.getByText('Cannot reach the service').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.unroute('**/v1/keys')
    await open()
    assert.equal(await dialog.getByRole('alert').count(), 0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  test('a setting is called saved only while the service has it', async () => {
    const { page } = owner
    await page.goto(`${origin}/console/settings`)
    const saved = page.getByText('Saved.', { exact: true })
    await page.route('**/workspace', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.getByRole('radio', { name: 'Nothing' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Cannot reach the service').waitFor()
    assert.equal(await saved.count(), 0)
    await page.unroute('**/workspace')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved.waitFor()
    await page.getByRole('radio', { name: 'Receipts only' }).click()
    assert.equal(await saved.count(), 0)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await saved.waitFor()
  })

  test('Escape closes a dialog and restores the focus', async () => {
    const { page } = owner
    await page.getByRole('link', { name: 'API keys', exact: true }).click()
    const create = page.getByRole('button', { name: 'Create API key' })
    await create.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    assert.equal(await dialog.locator(':focus').count(), 1, 'the focus stays within')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await create.and(page.locator(':focus')).waitFor()

    const workspace = page.getByRole('button', { name: /^Workspace / })
    await workspace.press('Enter')
    await page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor()
    assert.deepEqual(await barriers(page), [])
    await page.keyboard.press('Escape')
    await workspace.and(page.locator(':focus')).waitFor()
  })

  test('no page overflows, breaks words or hides the boundary at any width', async () => {
    const { page } = owner
    const found: string[] = []
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('collector-of-the-archive '.repeat(8))
    await dialog.getByRole('button', { name: 'Create API key' }).click()
    await page.locator('.secret-value').waitFor()
    const look = async (): Promise<void> => {
      // A page may have several loading indicators.
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
    await page.goto(`${origin}/console/submissions`)
    await page.getByRole('link', { name: 'A folder' }).click()
    await page.locator('.verdict.pass').waitFor()
    await look()
    await page.goto(`${origin}/console/nowhere`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await look()
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.click()
    await page.keyboard.press('Escape')
    assert.equal(await menu.getAttribute('aria-expanded'), 'false')
    for (const place of [
      'Overview',
      'Submissions',
      'Compare kits',
      'API keys',
      'Members',
      'Audit log',
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

  test('the logo links to the home page', async () => {
    await owner.page.getByRole('link', { name: 'kitseal home page' }).click()
    await owner.page.getByText('What “Verified” does not prove').waitFor()
  })
})
