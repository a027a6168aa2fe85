import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import { TOOL_OUTPUTS } from '../../examiner/test/tool-outputs.ts'
import { launchBrowser, noBrowser } from '../../kit/embed/test/browser.ts'
import { english } from '../../kit/src/texts/english.ts'
import { type TestService, testService } from '../../test/kit/service.ts'
import { clientOf, form, type WorkspaceClient } from '../../test/kit/workspace.ts'
import { noBarriers } from './barriers.ts'
import { builtPages } from './built-pages.ts'
import { HEIC, workbookWith } from './office-files.ts'
import { misfits } from './on-page.ts'
import { DAMAGED_PDF, hostilePdf, lockedPdf } from './pdf-files.ts'
import { originOf, signedIn, type Visitor, visitor } from './visitor.ts'

const HOSTILE = '<script>document.title = "pwned"</script><img src=x onerror="document.title=1">'
const OUTSIDE = 'https://outside.example/'
const UNIQUE = 'a line that is altered in the object store'

describe('shares in Chromium', { skip: noBrowser }, () => {
  let browser: Browser
  let service: TestService
  let owner: WorkspaceClient
  let ann: Visitor
  let anyone: Visitor
  let page: Page
  let submissionId: string
  let kitId: string
  let link: string

  before(async () => {
    await builtPages()
    service = await testService()
    browser = await launchBrowser()
    const key = service.service.firstApiKey ?? ''
    const { json } = await service.call('/v1/credits', { headers: { 'x-api-key': key } })
    owner = clientOf(service, String(json['workspace_id']), key)
    submissionId = await owner.submission({
      accept: ['malformed_pdf', 'encrypted_pdf'],
      provenance: { collector: { name: 'Prowler <b>5.9</b>' } },
    })
    const files = {
      'users.csv': 'name,role\nann,owner\n',
      'page.html': HOSTILE,
      'notes.txt': UNIQUE,
      'review.pdf': hostilePdf(OUTSIDE),
      'damaged.pdf': DAMAGED_PDF,
      'locked.pdf': lockedPdf(),
      'access.xlsx': workbookWith(HOSTILE),
      'photo.heic': HEIC,
    }
    await owner.upload(submissionId, form(files))
    kitId = String((await owner.ended(submissionId))['kit_id'])
    ann = await signedIn(browser, service, { role: 'owner' })
    anyone = await visitor(browser)
    page = anyone.page
  })
  after(async () => {
    await browser?.close()
    await service?.[Symbol.asyncDispose]()
  })

  const foreignRequests = (): readonly string[] =>
    anyone.requests.filter((url) => !url.startsWith(service.base) && !url.startsWith('blob:'))

  const share = async (members: object = {}): Promise<{ readonly id: string; readonly url: string }> => {
    const expires = new Date(Date.now() + 3_600_000).toISOString()
    const { json } = await owner.post('/v1/shares', { kit_id: kitId, expires_at: expires, ...members })
    return { id: String(json['share_id']), url: String(json['url']) }
  }

  test('from the kit to a copied link by keyboard, and the focus goes to the first field and back', async () => {
    await ann.page.goto(`${originOf(service)}/console/submissions/${submissionId}`)
    const button = ann.page.getByRole('button', { name: 'Share', exact: true })
    await button.focus()
    await ann.page.keyboard.press('Enter')
    const field = ann.page.getByLabel('For', { exact: true })
    await field.and(ann.page.locator(':focus')).waitFor()
    await noBarriers(ann.page)
    await ann.page.getByText('Anyone with this link can see what you share.').waitFor()
    await ann.page.keyboard.press('Escape')
    await button.and(ann.page.locator(':focus')).waitFor()
    await ann.page.keyboard.press('Enter')
    await field.and(ann.page.locator(':focus')).waitFor()
    await ann.page.keyboard.press('Enter')
    const shown = ann.page.getByLabel('Anyone with this link can see what you share.')
    link = await shown.and(ann.page.locator('input')).inputValue()
    assert.match(link, /\/s\/[\w-]{43}$/)
    await noBarriers(ann.page)
    await ann.page.keyboard.press('Escape')
    await ann.page.getByRole('button', { name: /^Copy Anyone/ }).click()
    await ann.page.getByText('Copied').waitFor()
    assert.equal(await ann.page.evaluate(() => navigator.clipboard.readText()), link)
    await ann.page.keyboard.press('Escape')
    await ann.page.getByText('Copied').waitFor({ state: 'detached' })
    await button.and(ann.page.locator(':focus')).waitFor()
  })

  test('one recipient gets one link, and it is the one that is shown and copied; no mail is said before', async () => {
    await ann.page.getByRole('button', { name: 'Share', exact: true }).click()
    await ann.page.getByLabel('For', { exact: true }).fill('bob@auditor.example')
    await ann.page.getByText('This service sends no mail. You get each link to copy').waitFor()
    await ann.page.getByText('Password, download limit and notices').click()
    await ann.page.getByLabel('Password', { exact: true }).fill('correct horse')
    await ann.page.getByRole('button', { name: 'Create links' }).click()
    const own = ann.page.getByLabel('link for bob@auditor.example').and(ann.page.locator('input'))
    const url = await own.inputValue()
    assert.equal(await ann.page.getByText(/Anyone with this link/).count(), 0)
    await ann.page.getByRole('button', { name: 'I have saved it' }).click()

    await ann.page.goto(`${originOf(service)}/console/shares`)
    const row = ann.page.locator('tr', { hasText: 'bob@auditor.example' })
    await row.getByRole('button', { name: /^Links/ }).click()
    await ann.page.getByText('that one stops working at once').waitFor()
    await noBarriers(ann.page)
    await ann.page.getByRole('button', { name: 'New link bob@auditor.example' }).click()
    const renewed = await own.inputValue()
    assert.notEqual(renewed, url)
    await ann.page.getByRole('button', { name: 'I have saved it' }).click()
    await page.goto(url)
    await page.getByRole('heading', { name: 'This link was replaced' }).waitFor()
    await row.getByRole('button', { name: /^Change/ }).click()
    await ann.page.getByLabel('Remove the password').check()
    await noBarriers(ann.page)
    await ann.page.getByRole('button', { name: 'Save' }).click()
    await ann.page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(renewed)
    await page.locator('.notice.pass', { hasText: english('verdicts.verified.heading') }).waitFor()
    await row.getByRole('button', { name: /^Links/ }).click()
    await ann.page.getByRole('button', { name: 'Revoke bob@auditor.example' }).click()
    await ann.page.getByRole('dialog').getByText('Revoked').waitFor()
    await ann.page.keyboard.press('Escape')
    await page.goto(renewed)
    await page.getByRole('heading', { name: 'This link was revoked' }).waitFor()
    await ann.page.goto(`${originOf(service)}/console/submissions/${submissionId}`)
  })

  test('a limit of one visit lets the page verify, preview and download, and then nobody else', async () => {
    const { url } = await share({ max_downloads: 1 })
    await page.goto(url)
    await page.locator('.notice.pass').waitFor()
    await page.getByText('Visits left, this one included').waitFor()
    await page.reload()
    await page.locator('.notice.pass').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download kit/ }).click(),
    ])
    assert.ok((await download.path()) !== '')
    await using other = await visitor(browser)
    await other.page.goto(url)
    await other.page.getByText('The download limit is reached').first().waitFor()
    assert.equal((await fetch(`${url}/view/kit.zip`)).status, 410)
    assert.deepEqual([...anyone.problems, ...other.problems], [])
  })

  test('the recipient sees a verified kit, previews that run nothing, and downloads it', async () => {
    await page.goto(link)
    await page.locator('.notice.pass', { hasText: english('verdicts.verified.heading') }).waitFor()
    const about = page.getByRole('region', { name: 'About this kit' })
    assert.match(await about.innerText(), /Issuer[\s\S]+Supplier[\s\S]+Link expires[\s\S]+in 14 days/)
    assert.match((await about.locator('time').first().getAttribute('title')) ?? '', / UTC$/)
    await noBarriers(page)
    await page.getByRole('button', { name: 'users.csv' }).click()
    await page.getByRole('cell', { name: 'ann' }).waitFor()
    await noBarriers(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'page.html' }).click()
    await page.getByText('document.title = "pwned"').waitFor()
    assert.doesNotMatch(await page.title(), /pwned|^1/)
    await page.keyboard.press('Escape')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download kit/ }).click(),
    ])
    const bytes = readFileSync(await download.path())
    assert.deepEqual(bytes, (await owner.get(`/v1/kits/${kitId}/download`)).bytes)
    assert.deepEqual(foreignRequests(), [])
    assert.deepEqual(anyone.problems, [])
  })

  test('a PDF is drawn page by page, and no script in it runs and nothing in it is requested', async () => {
    assert.ok(!anyone.requests.some((url) => url.includes('/assets/pdf-worker')))
    await page.getByRole('button', { name: 'review.pdf' }).click()
    const region = page.getByRole('region', { name: 'Contents of review.pdf' })
    for (const position of ['Page 1 of 2', 'Page 2 of 2']) {
      await page.getByText(position).waitFor()
      await region.getByText('Access review').waitFor({ state: 'attached' })
      assert.deepEqual(await colorsOf(region.locator('canvas')), { black: true, white: true }, position)
      if (position === 'Page 1 of 2') {
        await noBarriers(page)
        await page.getByRole('button', { name: 'Next page' }).click()
      }
    }
    await region.click()
    await page.keyboard.press('Escape')
    assert.doesNotMatch(await page.title(), /pwned/)
    assert.equal(anyone.context.pages().length, 1)
    assert.ok(anyone.requests.some((url) => url.includes('/assets/pdf-worker')))
    assert.deepEqual(foreignRequests(), [])
    assert.deepEqual(anyone.problems, [])
  })

  test('a PDF that is damaged or needs a password says so', async () => {
    for (const [name, message] of [
      ['damaged.pdf', 'This PDF is damaged'],
      ['locked.pdf', 'This PDF needs a password'],
    ] as const) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('alert').filter({ hasText: message }).waitFor()
      assert.equal(await page.locator('canvas').count(), 0)
      await page.keyboard.press('Escape')
    }
    assert.deepEqual(anyone.problems, [])
  })

  test('a photo that the browser cannot show and an Office file are offered for download', async () => {
    await page.getByRole('button', { name: 'photo.heic' }).click()
    await page.getByText('This browser cannot show this image. Download it to open it.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'access.xlsx' }).click()
    await page.getByText('No preview for this type of file. Download it to open it.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    assert.deepEqual(foreignRequests(), [])
    assert.deepEqual(anyone.problems, [])
  })

  test('the console lists the share and its accesses, and revokes it', async () => {
    await ann.page.goto(`${originOf(service)}/console/shares`)
    await ann.page.getByText('1 visit').first().waitFor()
    await noBarriers(ann.page)
    const row = ann.page.locator('tr', { hasText: 'Whole kit' }).last()
    await row.getByRole('button', { name: /^Access log/ }).click()
    await ann.page.getByText('Opened the page').waitFor()
    await noBarriers(ann.page)
    await ann.page.keyboard.press('Escape')
    await row.getByRole('button', { name: /^Revoke/ }).click()
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await ann.page.locator('tr[data-status=revoked]').waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link was revoked' }).waitFor()
    await noBarriers(page)
  })

  test('what the output of a tool says about itself is shown as its own words, on the submission and on the share', async () => {
    const { content, summary } = TOOL_OUTPUTS['Prowler OCSF'] ?? { content: '', summary: '' }
    const id = await owner.submission()
    await owner.upload(id, form({ 'scan.json': content }))
    const { url } = await share({ kit_id: (await owner.ended(id))['kit_id'] })
    await ann.page.goto(`${originOf(service)}/console/submissions/${id}`)
    await page.goto(url)
    for (const shown of [ann.page, page]) await shown.getByText(`The file says: ${summary}`).waitFor()
    assert.deepEqual(await misfits(page), [])
  })

  test('single files are verified with their proofs, and a password is asked for', async () => {
    const { url } = await share({ paths: ['users.csv'], password: 'correct horse' })
    await page.goto(url)
    await page.getByLabel('Password').fill('wrong horse')
    await page.keyboard.press('Enter')
    await page.getByText('The password is wrong.').waitFor()
    await noBarriers(page)
    await page.getByLabel('Password').fill('correct horse')
    await page.keyboard.press('Enter')
    await page.locator('.notice.pass', { hasText: 'Verified: 1 file' }).waitFor()
    assert.equal(await page.getByText('notes.txt').count(), 0)
    assert.equal(await page.getByRole('link', { name: /file proof of users\.csv/ }).count(), 1)
    await noBarriers(page)
  })

  test('the console and the share page keep apart what is verified and what is stated', async () => {
    const host = new URL(service.base).host
    const shows = async (shown: Page): Promise<void> => {
      const verified = shown.locator('.provenance .verified').locator('visible=true')
      await verified.getByText(/uploaded .* through the API/).waitFor()
      await shown.getByRole('heading', { name: `Verified by ${host}` }).waitFor()
      await shown.getByRole('heading', { name: 'Stated by the supplier, not verified' }).waitFor()
      const stated = await shown.locator('.provenance .stated').locator('visible=true').first().innerText()
      assert.match(stated, /“\s*stated\s+collected with "Prowler <b>5\.9<\/b>"/)
      assert.match(await verified.innerText(), /^✓\s*verified/)
      assert.doesNotMatch(await verified.innerText(), /Prowler/)
      await noBarriers(shown)
    }
    await ann.page.goto(`${originOf(service)}/console/submissions/${submissionId}`)
    await shows(ann.page)
    await page.goto((await share()).url)
    await shows(page)
    await page.goto((await share({ paths: ['data/users.csv'] })).url)
    await page.getByRole('heading', { name: 'Named in the kit, not confirmed' }).waitFor()
    assert.equal(await page.locator('.provenance .verified').count(), 0)
  })

  test('a link that is not valid says so', async () => {
    await page.goto(`${service.base}/s/${'x'.repeat(43)}`)
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor()
    await page.goto(`${service.base}/verify/kit_${'x'.repeat(27)}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(anyone.problems, [])
  })

  test('an altered kit and a revoked key are reported, and nothing on the page is green', async () => {
    const whole = await share()
    const one = await share({ paths: ['notes.txt'] })
    const object = globSync('objects/**/*', { cwd: service.dataFolder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .find((file) => readFileSync(file).includes(UNIQUE))
    assert.ok(object !== undefined)
    const intact = readFileSync(object)
    writeFileSync(
      object,
      Buffer.from(intact.toString('latin1').replace(UNIQUE, UNIQUE.toUpperCase()), 'latin1'),
    )
    for (const { url } of [whole, one]) {
      await page.goto(url)
      await page.locator('.notice.fail', { hasText: english('verdicts.altered.heading') }).waitFor()
      assert.equal(await page.locator('.notice.pass').count(), 0)
    }
    writeFileSync(object, intact)
    const { jwks } = await service.service.signingKeys.published()
    await service.service.signingKeys.revoke(jwks.keys[0]?.kid ?? '')
    for (const { url } of [whole, one]) {
      await page.goto(url)
      await page.locator('.notice.fail', { hasText: 'Signing key revoked on' }).waitFor()
      assert.equal(await page.locator('.notice.pass').count(), 0)
    }
  })
})

async function colorsOf(canvas: Locator): Promise<{ readonly black: boolean; readonly white: boolean }> {
  return canvas.evaluate((element) => {
    const { width, height } = element as HTMLCanvasElement
    const { data } = (element as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height)
    const pixels = new Set(new Uint32Array(data.buffer))
    return { black: pixels.has(0xff000000), white: pixels.has(0xffffffff) }
  })
}
