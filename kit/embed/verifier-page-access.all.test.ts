import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { makeKit, testSigner } from '../test/make-kit.ts'
import { BUILT_PAGE, bundleForTests } from './build.ts'
import { launchBrowser, noBrowser, openPage } from './test/browser.ts'
import { checkZip, checkZipWith, readResult } from './test/on-page.ts'

const url = pathToFileURL(BUILT_PAGE).href
const { kid } = testSigner()

describe('the verifier page works offline and with a keyboard', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-page-'))
  const zip = join(folder, 'kit.zip')
  let browser: Browser
  let server: Server
  let address: string
  let hits = 0

  before(async () => {
    browser = await launchBrowser()
    writeFileSync(zip, (await makeKit()).zip)
    server = createServer((_request, response) => {
      hits++
      response.setHeader('access-control-allow-origin', '*')
      response.end()
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    server.listen(0, '127.0.0.1', resolve)
    await promise
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true })
  })

  test('verification requests nothing but the page and its worker', async () => {
    await using opened = await openPage(browser, url)
    assert.equal((await checkZipWith(opened.page, zip, { kid })).verdict, 'PASS')
    assert.deepEqual(
      opened.requests.filter((request) => request !== url && !request.startsWith('blob:')),
      [],
    )
  })

  test('the Content-Security-Policy blocks all network access, from the page and from workers', async () => {
    await using opened = await openPage(browser, url)
    const outcomes = await opened.page.evaluate(`(async () => {
      const tried = (attempt) => attempt.then(() => 'allowed', () => 'blocked')
      const loaded = (node) => tried(new Promise((resolve, reject) => {
        node.onload = resolve
        node.onerror = reject
        document.body.append(node)
      }))
      const image = document.createElement('img')
      image.src = 'http://${address}/image'
      const sheet = document.createElement('link')
      sheet.rel = 'stylesheet'
      sheet.href = 'http://${address}/sheet'
      const socket = tried(new Promise((resolve, reject) => {
        const made = new WebSocket('ws://${address}/socket')
        made.onopen = resolve
        made.onerror = reject
      }))
      const source = "fetch('http://${address}/worker').then(() => postMessage('allowed'), () => postMessage('blocked'))"
      const own = trustedTypes.createPolicy('kitseal', { createScriptURL: (text) => text })
      const worker = new Worker(own.createScriptURL(URL.createObjectURL(new Blob([source]))))
      const fromWorker = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data) })
      const markup = tried((async () => { document.body.innerHTML = '<p>' })())
      const beacon = navigator.sendBeacon('http://${address}/beacon')
      return {
        fetch: await tried(fetch('http://${address}/fetch')),
        image: await loaded(image),
        sheet: await loaded(sheet),
        socket: await socket,
        worker: await fromWorker,
        markup: await markup,
        beacon: beacon ? 'unknown' : 'blocked',
      }
    })()`)
    assert.deepEqual(
      { ...(outcomes as object), beacon: '' },
      {
        fetch: 'blocked',
        image: 'blocked',
        sheet: 'blocked',
        socket: 'blocked',
        worker: 'blocked',
        markup: 'blocked',
        beacon: '',
      },
    )
    assert.equal(hits, 0, 'something reached the server')
  })

  test('the test bundle exposes verification to a page', async () => {
    const blank = join(folder, 'blank.html')
    writeFileSync(blank, '<!doctype html><title>blank</title>')
    await using opened = await openPage(browser, pathToFileURL(blank).href)
    await opened.page.addScriptTag({ content: await bundleForTests() })
    const status = await opened.page.evaluate(`(async () => {
      const zip = Uint8Array.from(atob('${readFileSync(zip).toString('base64')}'), (char) => char.charCodeAt(0))
      const source = { sizeBytes: zip.length, read: (at, length) => zip.subarray(at, at + length) }
      const { openZip, verifyKit, webHost, NO_TRUST } = kitseal
      const trust = { ...NO_TRUST, kids: ['${kid}'] }
      return (await verifyKit(await openZip(source, webHost), trust, webHost)).status
    })()`)
    assert.equal(status, 'PASS')
  })

  test('the page can be used with the keyboard alone', async () => {
    await using opened = await openPage(browser, url, {})
    const { page } = opened
    const tabTo = async (id: string): Promise<void> => {
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.id || document.activeElement.className'), id)
    }
    const choosing = page.waitForEvent('filechooser')
    await tabTo('skip')
    await tabTo('language')
    await tabTo('choose-zip')
    await page.keyboard.press('Enter')
    await (await choosing).setFiles(zip)
    await page.locator('#verdict:focus').waitFor()
    // The verifier of the issuer, and its key set.
    for (const _ of [1, 2]) {
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'A')
    }
    await tabTo('choose-keys')
    await tabTo('kid')
    await page.keyboard.type(kid)
    await tabTo('confirmed')
    await page.keyboard.press('Space')
    await tabTo('check-again')
    await page.keyboard.press('Enter')
    await page.locator('.verdict.pass').waitFor()
    assert.equal((await readResult(page)).verdict, 'PASS')
    await page.locator('#verdict:focus').waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'SUMMARY')
    await tabTo('print')
    await tabTo('save')
  })

  test('during verification Stop is visible and focused; after stopping, the choice of the kit is focused', async () => {
    writeFileSync(
      join(folder, 'large.zip'),
      (await makeKit({ 'a.bin': Buffer.alloc(64 * 1024 * 1024, 7) })).zip,
    )
    await using opened = await openPage(browser, url, { viewport: { width: 360, height: 640 } })
    const { page } = opened
    await page.locator('#choose-zip').setInputFiles(join(folder, 'large.zip'))
    await page.locator('#stop:focus').waitFor()
    const [stop, footer] = await Promise.all([
      page.locator('#stop').boundingBox(),
      page.locator('footer').boundingBox(),
    ])
    assert.ok(stop !== null && footer !== null && stop.y + stop.height <= footer.y)
    await page.keyboard.press('Enter')
    await page.locator('#problem', { hasText: 'Stopped. Nothing was checked.' }).waitFor()
    await page.locator('#choose-zip:focus').waitFor()
  })

  test('the page has names, landmarks and headings for screen readers, and announces the verdict', async () => {
    await using opened = await openPage(browser, url)
    await checkZip(opened.page, zip)
    const found = await opened.page.evaluate(`({
      lang: document.documentElement.lang,
      title: document.title,
      landmarks: ['header', 'main', 'footer'].map((tag) => document.querySelectorAll('body > ' + tag).length),
      unnamed: [...document.querySelectorAll('input, button, progress, a')]
        .filter((node) => !(node.labels?.length || node.ariaLabel || node.textContent.trim())).map((node) => node.id),
      headings: [...document.querySelectorAll('h1, h2, h3')].map((node) => Number(node.tagName[1])),
      twins: [...document.querySelectorAll('[id]')].map((node) => node.id).filter((id, at, all) => all.indexOf(id) !== at),
      dangling: [...document.querySelectorAll('[aria-labelledby], [aria-describedby]')]
        .map((node) => node.getAttribute('aria-labelledby') ?? node.getAttribute('aria-describedby'))
        .filter((id) => document.getElementById(id) === null),
      said: document.querySelector('[role=status]').textContent,
    })`)
    const { headings, said, title, ...rest } = found as { headings: number[]; said: string; title: string }
    assert.deepEqual(rest, { lang: 'en', landmarks: [1, 1, 1], unnamed: [], twins: [], dangling: [] })
    assert.ok(headings.every((level, at) => at === 0 || level <= (headings[at - 1] ?? 0) + 1))
    assert.match(said, /^Not confirmed yet: Files intact\. Sender not confirmed yet\. /)
    assert.match(title, /^Files intact\. Sender not confirmed yet – kit_/)
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`all text has enough contrast, ${colorScheme}`, async () => {
      await using opened = await openPage(browser, url, { colorScheme })
      for (const [ink, ground] of INK_ON_GROUND) {
        const ratio = contrast(await colour(opened.page, ink), await colour(opened.page, ground))
        assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`)
      }
    })
  }

  test('nothing is cut off at 360 pixels, and the boundary stays visible', async () => {
    await using opened = await openPage(browser, url, { viewport: { width: 360, height: 640 } })
    const { page } = opened
    for (const step of ['before', 'after'] as const) {
      if (step === 'after') await checkZip(page, zip)
      assert.equal(await page.evaluate('document.scrollingElement.scrollWidth'), 360, step)
      const inView = `(() => { const { top, bottom } = boundary.getBoundingClientRect(); return top > 0 && bottom <= innerHeight })()`
      assert.equal(await page.evaluate(inView), true, step)
    }
  })
})

const INK_ON_GROUND = [
  ...['page', 'card', 'soft', 'pass-soft', 'fail-soft', 'warn-soft'].flatMap((ground) => [
    ['ink', ground] as const,
    ['quiet', ground] as const,
  ]),
  ['accent-ink', 'accent'],
  ['accent', 'soft'],
  ['pass', 'card'],
  ['pass', 'pass-soft'],
  ['fail', 'card'],
  ['fail', 'fail-soft'],
  ['warn', 'warn-soft'],
] as const

async function colour(page: Page, name: string): Promise<readonly number[]> {
  // A variable keeps what was written, `light-dark(…)`; the colour of an element is what is shown.
  const text: string = await page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--${name})'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })()`)
  return (text.match(/\d+/g) ?? []).slice(0, 3).map((value) => Number(value) / 255)
}

/** The contrast ratio of WCAG 2. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
