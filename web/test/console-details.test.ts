import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { inviteLink } from '../../server/test/console-client.ts'
import { openStore } from '../../server/src/open-store.ts'
import { expireKits } from '../../server/src/upkeep/expire-kits.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { administer, form, workspaceClient } from '../../server/test/workspace-client.ts'
import { builtPages } from './built-pages.ts'
import { barriers } from './barriers.ts'
import { launchBrowser, noBrowser, visitor, type Visitor } from './browser.ts'
import { drop, misfits } from './on-page.ts'

const NOTES = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('so it was\n') }
const MORE = { name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('and so it went on\n') }

const send = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send and seal' }).click()

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
    origin = service.base.replace('127.0.0.1', 'localhost')
    ;[member, viewer, owner] = await Promise.all([signedIn('member'), signedIn('viewer'), signedIn('owner')])
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  })

  /** Somebody who came by a link, without a passkey. */
  async function signedIn(
    role: 'owner' | 'member' | 'viewer',
    asked: { readonly workspaceId?: string } = {},
  ): Promise<Visitor> {
    const somebody = await visitor(browser)
    const token = await inviteLink(service, `${role}-${Math.random()}@acme.example`, { role, ...asked })
    await somebody.page.goto(`${origin}/console/invite#${token}`)
    await somebody.page.getByRole('button', { name: 'Sign in once without a passkey' }).click()
    await somebody.page.getByRole('heading', { name: 'Submissions' }).waitFor()
    return somebody
  }
  async function fill(page: Page, label: string): Promise<void> {
    await page.goto(`${origin}/console/new`)
    await page.getByLabel('What it is about').fill(label)
  }

  test('an upload that is cut off goes on with the file that it stopped at', async () => {
    const { page } = member
    await fill(page, 'Cut off')
    await page.locator('[data-pick=files]').setInputFiles([MORE, NOTES])
    await page.getByText('Nothing stands against sending this').waitFor()
    let uploads = 0
    await page.route('**/evidence', (route) => (++uploads === 2 ? route.abort() : route.fallback()))
    await send(page)
    await page.getByText('Not everything was sent').waitFor()
    assert.match(await page.locator('[data-file="more.txt"]').innerText(), /sent/)
    assert.deepEqual(await barriers(page), [])
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.locator('.verdict.pass').waitFor()
    await page.unroute('**/evidence')
    assert.equal(uploads, 4, 'one file, the same cut off and sent again, and the seal')
  })

  test('where the stream of events is cut, the page asks again by itself', async () => {
    const { page } = member
    await page.route('**/console/api/events', (route) => route.abort())
    await fill(page, 'No stream')
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('Nothing stands against sending this').waitFor()
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    await page.unroute('**/console/api/events')
  })

  test('a dropped folder keeps its paths', async () => {
    mkdirSync(join(folder, 'evidence/minutes'), { recursive: true })
    writeFileSync(join(folder, 'evidence/minutes/march.txt'), 'so it was\n')
    const { page } = member
    await fill(page, 'A folder')
    await drop(page, join(folder, 'evidence'))
    await page.locator('[data-file="evidence/minutes/march.txt"]').waitFor()
    await page.getByText('Nothing stands against sending this').waitFor()
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    await page.getByRole('tab', { name: 'Inventory' }).click()
    await page.getByText('data/evidence/minutes/march.txt').waitFor()
  })

  test('no file of a dropped folder is left out for its name, and a folder without files is said to be empty', async () => {
    const { page } = member
    const names = ['Archive.LNK', 'end.', 'nul', 'site.url', '~draft']
    mkdirSync(join(folder, 'odd'))
    mkdirSync(join(folder, 'empty'))
    for (const name of names) writeFileSync(join(folder, 'odd', name), 'so it was\n')
    await fill(page, 'Odd names')
    await drop(page, join(folder, 'empty'))
    await page.getByText('There is no file in that.').waitFor()
    await drop(page, join(folder, 'odd'))
    await page.locator('[data-file="odd/nul"]').waitFor()
    assert.deepEqual(
      await page.locator('.file-name').allInnerTexts(),
      names.map((name) => `odd/${name}`),
    )
    assert.equal(await page.getByText('There is no file in that.').count(), 0)
  })

  test('hundreds of small files are sent together, and each is in the kit', async () => {
    const { page } = member
    await fill(page, 'Many')
    const many = Array.from({ length: 230 }, (_, at) => ({ ...NOTES, name: `note-${1000 + at}.txt` }))
    await page.locator('[data-pick=files]').setInputFiles(many)
    await page.getByText('Nothing stands against sending this').waitFor()
    await page.getByRole('button', { name: 'Show all 230' }).waitFor()
    const asked = member.requests.length
    await send(page)
    await page.locator('.verdict.pass').waitFor()
    const uploads = member.requests.slice(asked).filter((url) => url.endsWith('/evidence'))
    assert.equal(uploads.length, 6, 'five of at most 50 files, and the seal')
    await page.getByRole('tab', { name: 'Inventory' }).click()
    await page.getByRole('button', { name: 'Show all 230' }).click()
    await page.getByText('data/note-1229.txt').waitFor()
  })

  test('a profile asks for its files in the browser as it does in the service', async () => {
    const { page } = member
    await fill(page, 'By profile')
    await page.getByRole('combobox', { name: 'What it must contain' }).click()
    await page.getByRole('option', { name: 'Quarterly access review' }).click()
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.locator('.blockers li').first().waitFor()
    assert.match(await page.locator('.blockers').innerText(), /Approval by the owner of the system/)
  })

  test('what is wrong in the same words in many places is said once, and every place can be reached and copied', async () => {
    const { page } = member
    await fill(page, 'Empty files')
    const names = Array.from({ length: 9 }, (_, at) => `empty-${at}.txt`)
    await page
      .locator('[data-pick=files]')
      .setInputFiles([NOTES, ...names.map((name) => ({ ...NOTES, name, buffer: Buffer.alloc(0) }))])
    await page.getByText('9 blockers: a service would issue no kit').waitFor()
    const group = page.locator('.blockers > li')
    assert.equal(await group.count(), 1)
    assert.match(
      await group.innerText(),
      /In 9 places\s+empty_file[\s\S]+What to do:[\s\S]+empty-4\.txt\s+and 4 more$/,
    )
    await group.getByText('and 4 more').click()
    await group.getByText('empty-8.txt').waitFor()
    assert.deepEqual(await group.locator('.blocker-paths code').allInnerTexts(), names)
    await group.getByRole('button', { name: 'Copy all 9 paths' }).click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), names.join('\n'))
    assert.deepEqual(await barriers(page), [])
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
    await using somebody = await signedIn('viewer', acme)
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
