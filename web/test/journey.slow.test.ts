import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
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

describe('the console in Chromium, from the first sign-in to sign-out', { skip: noBrowser }, () => {
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

  test('the setup link creates a passkey, signs in, and is removed from the URL', async () => {
    await page.goto(service.service.firstInvitation ?? '')
    await heading('Set up kitseal')
    assert.equal(new URL(page.url()).hash, '')
    await noBarriers()
    const enter = page.getByRole('button', { name: 'Create a passkey and sign in' })
    await enter.click()
    assert.equal(await page.getByLabel('Organization').evaluate((field) => field.matches(':invalid')), true)
    await page.getByLabel('Organization').fill('Acme Ltd')
    await page.getByLabel('Your name').fill('Ann Meier')
    await page.getByLabel('Your email address').fill('ann@acme.example')
    await page.getByLabel('Passkey name').fill('Test bench')
    await enter.click()
    await heading('Overview')
    await page.getByRole('navigation').getByText('Ann Meier').waitFor()
    assert.equal(await page.locator('.workspace-name').innerText(), 'Acme Ltd')
    await page.getByText('Issue your first kit').waitFor()
    await noBarriers()
  })

  test('evidence is checked in the browser before upload', async () => {
    await page.getByRole('button', { name: 'New submission' }).first().click()
    await heading('New submission')
    await page.getByRole('textbox', { name: 'Name' }).fill('Access review')
    const asked = ann.requests.length
    await page.locator('[data-pick=files]').setInputFiles([CSV, PROGRAM])
    await page.getByText('1 problem found').waitFor()
    const blocker = page.locator('.blockers li')
    assert.match(
      await blocker.innerText(),
      /collect\.exe[\s\S]+is a program[\s\S]+How to fix: Remove programs/,
    )
    const sent = ann.requests.slice(asked).filter((url) => /\/v1\/submissions(\/|$)/.test(url))
    assert.deepEqual(sent, [])
    assert.equal(await page.getByRole('button', { name: 'Submit', exact: true }).isDisabled(), true)
    await noBarriers()
  })

  test('a submission with blockers fails, and the page shows the remedies without a reload', async () => {
    const form = { csv: CSV.buffer.toString(), program: PROGRAM.buffer.toString('latin1') }
    const id = await page.evaluate(async ({ csv, program }) => {
      const body = JSON.stringify({ label: 'Access review' })
      const own = { 'x-console-request': '1' }
      const headers = { ...own, 'content-type': 'application/json' }
      const created = await fetch('/v1/submissions', { method: 'POST', headers, body })
      const { submission_id } = (await created.json()) as { readonly submission_id: string }
      const evidence = new FormData()
      evidence.append('file', new File([csv], 'access-export.csv'))
      evidence.append('file', new File([program], 'collect.exe'))
      await fetch(`/v1/submissions/${submission_id}/evidence`, {
        method: 'POST',
        headers: own,
        body: evidence,
      })
      return submission_id
    }, form)
    await page.goto(`${origin}/console/submissions/${id}`)
    await heading('Access review')
    await page.locator('.verdict.fail').waitFor()
    assert.match(await page.locator('.blockers').innerText(), /collect\.exe/)
    await page.getByText('Needs changes', { exact: true }).last().waitFor()
    await noBarriers()
  })

  test('a failed submission can be fixed and passes', async () => {
    assert.equal(await page.getByLabel('access-export.csv').isChecked(), true)
    assert.equal(await page.getByLabel('collect.exe').isChecked(), false)
    await page.getByRole('button', { name: 'Fix and resubmit' }).click()
    await page.getByText('1 file already uploaded').waitFor()
    await page.locator('[data-pick=files]').setInputFiles([NOTES])
    await page.getByText('No problems found. Ready to submit.').waitFor()
    await noBarriers()
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.locator('.verdict.pass').waitFor()
    submission = page.url()
    await page.getByText('Sealed, kit issued').waitFor()
    await page.locator('.verdict').getByText('2 files').waitFor()
    await noBarriers()
    await page.getByRole('link', { name: 'an earlier submission' }).click()
    await page.getByText('Files reused in a new submission').waitFor()
    await page.getByRole('link', { name: 'a new submission' }).click()
    await page.locator('.verdict.pass').waitFor()
  })

  test('a kit shows its files and its documents, and downloads', async () => {
    await page.getByRole('button', { name: 'access-export.csv' }).click()
    await page.locator('.preview-table td').first().waitFor()
    await noBarriers()
    const [single] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('link', { name: 'Download' }).click(),
    ])
    assert.equal(single.suggestedFilename(), 'access-export.csv')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog').getByText('notes.txt').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Details', { exact: true }).click()
    await page.getByRole('link', { name: 'manifest.json', exact: true }).waitFor()
    await noBarriers()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download kit.zip' }).click(),
    ])
    kit = readFileSync(await download.path())
    assert.equal(kit.subarray(0, 2).toString(), 'PK')
    await noBarriers()
  })

  test('a kit with one changed byte fails, and the file is named', async () => {
    await page.goto(`${origin}/verify`)
    const tampered = Buffer.from(kit)
    const at = tampered.indexOf('ann,admin')
    tampered[at] = (tampered[at] ?? 0) ^ 1
    await page.locator('[data-pick=files]').setInputFiles({ name: 'kit.zip', mimeType: '', buffer: tampered })
    await page.locator('.result[data-verdict=altered]').waitFor()
    assert.match(
      await page.locator('[data-check=files_match_manifest]').innerText(),
      /FAIL[\s\S]+data\/access-export\.csv was changed/,
    )
    await noBarriers()
  })

  test('an API key can be created, rotated and revoked', async () => {
    await page.goto(`${origin}/console`)
    await open('API keys')
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Collector')
    await noBarriers()
    for (const end of ['Escape', 'Cancel']) {
      await page.keyboard.press('Escape')
      const discard = page.getByRole('dialog', { name: 'Discard what you wrote?' })
      await discard.waitFor()
      if (end === 'Escape') await page.keyboard.press(end)
      else await discard.getByRole('button', { name: end }).click()
      await discard.waitFor({ state: 'detached' })
      assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Collector')
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
    const secret = page.getByRole('dialog').getByLabel('API key', { exact: true })
    const first = await secret.inputValue()
    assert.match(first, /^ks_/)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Copy API key' }).click()
    await page.getByText('Copied').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Rotate Collector' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click()
    const second = await secret.inputValue()
    assert.notEqual(first, second)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.locator('[data-status=ending]').waitFor()
    await noBarriers()
    await page.locator('[data-status=ending]').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.locator('[data-status=revoked]').waitFor()
    const statuses = await Promise.all(
      [first, second].map(
        async (key) => (await fetch(`${service.base}/v1/credits`, { headers: { 'x-api-key': key } })).status,
      ),
    )
    assert.deepEqual(statuses, [401, 200])
  })

  test('members, audit log, workspace and account pages are accessible', async () => {
    await open('Members')
    await page.getByLabel('Email address').fill('bob@acme.example')
    await page.getByRole('button', { name: 'Create invitation link' }).click()
    assert.match(
      await page.getByRole('dialog').getByLabel('bob@acme.example').inputValue(),
      /\/console\/invite#/,
    )
    await page.getByText('This link works on this computer alone').waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('cell', { name: 'bob@acme.example', exact: true }).waitFor()
    await noBarriers()
    await open('Audit log')
    await page.getByRole('row').filter({ hasText: 'API key rotated' }).waitFor()
    await noBarriers()
    await open('Workspace')
    await page.getByText('Acme Ltd, as the workspace calls itself').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Acme, as the workspace calls itself').waitFor()
    await noBarriers()
    await open('Your account')
    await page.getByText('Test bench').first().waitFor()
    await page.getByLabel('Email address').fill('ann.meier@acme.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('ann.meier@acme.example, Owner').waitFor()
    await noBarriers()
    await open('Submissions')
    await page.getByLabel('Search').fill('no such label')
    await page.getByText('No matches').waitFor()
    await page.getByLabel('Search').fill('ACCESS')
    await page.getByRole('link', { name: 'Access review' }).first().waitFor()
    await noBarriers()
  })

  test('going back to the list restores the search', async () => {
    await page.getByRole('link', { name: 'Access review' }).first().click()
    await heading('Access review')
    await page.goBack()
    await heading('Submissions')
    assert.equal(await page.getByLabel('Search').inputValue(), 'ACCESS')
    await open('Submissions')
    await page.getByLabel('Search').and(page.locator('[value=""]')).waitFor()
  })

  test('after signing out, the passkey signs in again', async () => {
    await page.getByRole('navigation').getByRole('button', { name: 'Sign out' }).click()
    await heading('Sign in to the console')
    await noBarriers()
    await page.goto(submission)
    await heading('Sign in to the console')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await heading('Access review')
  })

  test('another member who signs in sees nothing of the previous session', async () => {
    await open('Submissions')
    await page.getByRole('link', { name: 'Access review' }).first().waitFor()
    await ann.context.clearCookies()
    await page.getByRole('link', { name: 'Members', exact: true }).click()
    await heading('Sign in to the console')
    const { promise: held, resolve: go } = Promise.withResolvers<void>()
    await page.route('**/v1/submissions?*', (route) => held.then(() => route.fallback()))
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await open('Submissions')
    assert.equal(await page.getByRole('link', { name: 'Access review' }).count(), 0)
    go()
    await page.getByRole('link', { name: 'Access review' }).first().waitFor()
    await page.unroute('**/v1/submissions?*')
  })

  test('pages request nothing from other hosts and do not violate their Content-Security-Policy', () => {
    const others = ann.requests.filter((url) => /^(https?|wss?):/.test(url) && new URL(url).origin !== origin)
    assert.deepEqual(others, [])
    const ended = /\/(?:console\/api|v1)\/\S+: .*401/
    assert.deepEqual(
      ann.problems.filter((problem) => !ended.test(problem)),
      [],
    )
  })
})
