import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../server/test/test-service.ts'
import { builtPages } from './built-pages.ts'
import { barriers } from './barriers.ts'
import { originOf, type Visitor, visitor } from './visitor.ts'

const CSV = { name: 'access-export.csv', mimeType: 'text/csv', buffer: Buffer.from('name,role\nann,admin\n') }
const PROGRAM = {
  name: 'collect.exe',
  mimeType: '',
  buffer: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600)]),
}
const NOTES = {
  name: 'notes.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('The hash of collect.exe is 00ff.\n'),
}

describe('the console in Chromium, from the first link to the sign-out', { skip: noBrowser }, () => {
  let browser: Browser
  let service: TestService
  let ann: Visitor
  let page: Page
  let origin: string
  let kit: Buffer
  let submission: string

  before(async () => {
    await builtPages()
    service = await testService()
    browser = await launchBrowser()
    ann = await visitor(browser)
    page = ann.page
    origin = originOf(service)
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  const noBarriers = async (): Promise<void> => assert.deepEqual(await barriers(page), [])
  const heading = (name: string | RegExp): Promise<void> =>
    page.getByRole('heading', { name, level: 1 }).waitFor()
  const open = async (place: string): Promise<void> => {
    await page.getByRole('link', { name: place, exact: true }).click()
    await heading(place)
  }

  test('the link that the first start prints makes a passkey and leads into the console, and is gone from the address', async () => {
    await page.goto(service.service.firstInvitation ?? '')
    await heading(/Join/)
    assert.equal(new URL(page.url()).hash, '')
    await noBarriers()
    await page.getByLabel('A name for your passkey').fill('Test bench')
    await page.getByRole('button', { name: 'Make a passkey and sign in' }).click()
    await heading('Submissions')
    await page.getByText('Nothing has been submitted yet').waitFor()
    await noBarriers()
  })

  test('evidence is checked in the browser before anything is sent', async () => {
    await page.getByRole('button', { name: 'New submission' }).first().click()
    await heading('New submission')
    await page.getByLabel('What it is about').fill('Access review')
    const asked = ann.requests.length
    await page.locator('[data-pick=files]').setInputFiles([CSV, PROGRAM])
    await page.getByText('1 blocker: a service would issue no kit').waitFor()
    const blocker = page.locator('.blockers li')
    assert.match(
      await blocker.innerText(),
      /collect\.exe[\s\S]+executable_content[\s\S]+What to do: Remove programs/,
    )
    const sent = ann.requests
      .slice(asked)
      .filter((url) => !url.includes('/assets/') && !url.endsWith('/events'))
    assert.deepEqual(
      sent.filter((url) => url.includes('/v1/')),
      [],
    )
    assert.equal(await page.getByRole('button', { name: 'Send and seal' }).isDisabled(), true)
    await noBarriers()
  })

  test('what is sent anyway is a FAIL, shown without a reload, with each remedy', async () => {
    await page.getByRole('button', { name: 'Send anyway' }).click()
    await heading('Access review')
    await page.locator('.verdict.fail').waitFor()
    assert.match(await page.locator('.blockers').innerText(), /collect\.exe/)
    await page.getByText('FAIL: blockers were found').waitFor()
    await noBarriers()
  })

  test('fixing keeps the good file, adds the mended one, and ends in a PASS', async () => {
    assert.equal(await page.getByLabel('access-export.csv').isChecked(), true)
    assert.equal(await page.getByLabel('collect.exe').isChecked(), false)
    await page.getByRole('button', { name: 'Fix and resubmit' }).click()
    await page.getByText('1 file already there').waitFor()
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('Nothing stands against sending this').waitFor()
    await noBarriers()
    await page.getByRole('button', { name: 'Send and seal' }).click()
    await page.locator('.verdict.pass').waitFor()
    submission = page.url()
    await page.getByText('PASS: the kit was signed and issued').waitFor()
    await page.locator('.facts').waitFor()
    await noBarriers()
    await page.locator('.related a').click()
    await page.getByText('Its good files were taken over into a new submission').waitFor()
    await page.locator('.related a').click()
    await page.locator('.verdict.pass').waitFor()
  })

  test('the kit shows its inventory, its deliverables and its binder', async () => {
    await page.getByRole('tab', { name: 'Inventory' }).click()
    await page.getByText('data/access-export.csv').waitFor()
    await page.getByRole('button', { name: 'Copy the SHA-256 of data/notes.txt' }).click()
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[0-9a-f]{64}$/)
    await noBarriers()
    await page.getByRole('tab', { name: 'Deliverables' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'kit.zip', exact: true }).click(),
    ])
    kit = readFileSync(await download.path())
    assert.equal(kit.subarray(0, 2).toString(), 'PK')
    await noBarriers()
    const [framed] = await Promise.all([
      page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('/binder')),
      page.getByRole('tab', { name: 'Binder' }).click(),
    ])
    assert.deepEqual([framed.status(), framed.headers()['content-type']], [200, 'application/pdf'])
    await noBarriers()
  })

  test('the kit is verified in the browser, each guarantee in the words of the engine', async () => {
    await page.getByRole('button', { name: 'Verify now in this browser' }).click()
    await page.locator('.result[data-verdict=verified]').waitFor()
    assert.equal(await page.locator('.checks .pass').count(), 11)
    await page.getByText('Every file in the manifest is present and unchanged').waitFor()
    await noBarriers()
  })

  test('a kit with one changed byte is caught, and the file is named', async () => {
    await page.goto(`${origin}/verify`)
    const tampered = Buffer.from(kit)
    const at = tampered.indexOf('ann,admin')
    tampered[at] = (tampered[at] ?? 0) ^ 1
    await page.locator('[data-pick=files]').setInputFiles({ name: 'kit.zip', mimeType: '', buffer: tampered })
    await page.locator('.result[data-verdict=failed]').waitFor()
    assert.match(
      await page.locator('[data-check=files_match_manifest]').innerText(),
      /FAIL[\s\S]+data\/access-export\.csv was changed/,
    )
    await noBarriers()
  })

  test('two kits of one scope are compared', async () => {
    await page.goto(`${origin}/console/new`)
    await page.getByLabel('What it is about').fill('Access review')
    const later = { ...CSV, buffer: Buffer.from('name,role\nann,admin\nbob,reader\n') }
    await page.locator('[data-pick=files]').setInputFiles([later, { ...NOTES, name: 'minutes.txt' }])
    await page.getByText('Nothing stands against sending this').waitFor()
    await page.getByRole('button', { name: 'Send and seal' }).click()
    await page.locator('.verdict.pass').waitFor()
    await page.getByRole('link', { name: 'Compare with an earlier kit of this scope' }).click()
    await heading('Compare kits')
    await page.locator('.differences').waitFor()
    assert.match(await page.locator('.differences').innerText(), /Changed[\s\S]+access-export\.csv/)
    assert.match(await page.locator('.differences').innerText(), /Moved[\s\S]+minutes\.txt/)
    await noBarriers()
  })

  test('an API key is created, shown once, rotated and revoked', async () => {
    await open('API keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('dialog').getByLabel('What it is for').fill('Collector')
    await noBarriers()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
    const first = await page.locator('.secret-value code').innerText()
    assert.match(first, /^ks_/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('button', { name: 'Rotate Collector' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.locator('.secret-value').waitFor()
    const second = await page.locator('.secret-value code').innerText()
    assert.notEqual(first, second)
    await page.locator('[data-state=ending]').waitFor()
    await noBarriers()
    await page.locator('[data-state=ending]').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.locator('[data-state=revoked]').waitFor()
    const statuses = await Promise.all(
      [first, second].map(
        async (key) => (await fetch(`${service.base}/v1/credits`, { headers: { 'x-api-key': key } })).status,
      ),
    )
    assert.deepEqual(statuses, [401, 200])
  })

  test('credits, members, the trail, the workspace and the account each have a page without barriers', async () => {
    await open('Credits')
    await page.locator('.bar-chart rect').last().waitFor()
    const month = new Date().toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
    const used = page.getByRole('table', { name: 'Used by month' }).getByRole('row', { name: month })
    assert.match(await used.innerText(), /[1-9]\d*$/)
    await noBarriers()
    await open('Members')
    await page.getByLabel('Email address').fill('bob@acme.example')
    await page.getByRole('button', { name: 'Make a link' }).click()
    assert.match(await page.locator('.secret-value code').innerText(), /\/console\/invite#/)
    await page.getByRole('cell', { name: 'bob@acme.example', exact: true }).waitFor()
    await noBarriers()
    await open('Audit trail')
    const rotated = page.getByRole('row').filter({ hasText: 'key.rotated' })
    assert.match(await rotated.innerText(), /An API key was rotated: a new one takes its place/)
    await noBarriers()
    await open('Workspace')
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await noBarriers()
    await open('Your account')
    await page.getByText('Test bench').first().waitFor()
    await noBarriers()
    await open('Submissions')
    await page.getByLabel('Search by label or id').fill('no such label')
    await page.getByText('Nothing matches').waitFor()
    await page.getByLabel('Search by label or id').fill('ACCESS')
    await page.getByRole('link', { name: 'Access review' }).first().waitFor()
    await noBarriers()
  })

  test('whoever looks at one of the found and goes back finds the search as it was', async () => {
    await page.getByRole('link', { name: 'Access review' }).first().click()
    await heading('Access review')
    await page.goBack()
    await heading('Submissions')
    assert.equal(await page.getByLabel('Search by label or id').inputValue(), 'ACCESS')
    await open('Submissions')
    await page.getByLabel('Search by label or id').and(page.locator('[value=""]')).waitFor()
  })

  test('whoever signs out is out, and the passkey leads back in', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Sign out' }).click()
    await heading('Sign in to the console')
    await noBarriers()
    await page.goto(submission)
    await heading('Sign in to the console')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await heading('Access review')
  })

  test('whoever signs in where a session ended sees nothing of what was fetched before', async () => {
    await open('Submissions')
    await page.getByRole('link', { name: 'Access review' }).first().waitFor()
    await ann.context.clearCookies()
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await heading('Sign in to the console')
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    await page.route('**/console/api/submissions?*', (route) => held.then(() => route.fallback()))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await open('Submissions')
    assert.equal(await page.getByRole('link', { name: 'Access review' }).count(), 0)
    go()
    await page.getByRole('link', { name: 'Access review' }).first().waitFor()
    await page.unroute('**/console/api/submissions?*')
  })

  test('no page asked another host for anything, and none did what its policy refuses', () => {
    const others = ann.requests.filter((url) => /^(https?|wss?):/.test(url) && new URL(url).origin !== origin)
    assert.deepEqual(others, [])
    const ended = /\/console\/api\/\S+: .*401/
    assert.deepEqual(
      ann.problems.filter((problem) => !ended.test(problem)),
      [],
    )
  })
})
