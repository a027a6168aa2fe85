// Only in test:all: many kinds of input; verifier-page.trial.ts has the results
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { verifierPage } from '../node/index.ts'
import { VERDICTS } from '../src/index.ts'
import { keySetOf, type MadeKit, makeKit, testSigner, writeFolder } from '../test/make-kit.ts'
import { BUILT_PAGE } from './build.ts'
import { launchBrowser, noBrowser, openPage } from './test/browser.ts'
import { checkZip, checkZipWith, drop, enterKeys, giveKeys, readResult } from './test/on-page.ts'

const page = pathToFileURL(BUILT_PAGE).href
const { kid } = testSigner()

describe('files that the verifier page accepts and rejects', { skip: noBrowser }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kitseal-page-'))
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  let browser: Browser
  let kit: MadeKit
  let zip: string
  let jwks: string
  let unpacked: string

  before(async () => {
    browser = await launchBrowser()
    kit = await makeKit({ 'hello.txt': 'hello\n', 'a/b/c.txt': 'deep' })
    zip = file('kit.zip', kit.zip)
    jwks = file('issuer.json', JSON.stringify(kit.jwks))
    unpacked = join(folder, 'unpacked')
    // Many unzip tools nest the kit's folder in a folder named after the archive.
    writeFolder(join(unpacked, kit.sealed.manifest.kit_id), kit.contents)
  })
  after(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  test('a chosen folder passes, even nested in another folder', async () => {
    for (const chosen of [join(unpacked, kit.sealed.manifest.kit_id), unpacked]) {
      await using opened = await openPage(browser, page)
      await opened.page.locator('#choose-folder').setInputFiles(chosen)
      assert.equal((await giveKeys(opened.page, { kid })).verdict, 'PASS')
    }
  })

  test('a dropped folder passes', async () => {
    await using opened = await openPage(browser, page)
    await drop(opened.page, unpacked)
    const shown = await giveKeys(opened.page, { kid })
    assert.equal(shown.verdict, 'PASS')
    assert.match(
      shown.text,
      new RegExp(`${kit.sealed.manifest.kit_id} \\(folder, ${kit.contents.size} files`),
    )
  })

  test('a folder with an added, missing or changed file fails and names it', async () => {
    const changed = join(folder, 'changed')
    const { 'data/hello.txt': _gone, ...kept } = Object.fromEntries(kit.contents)
    writeFolder(
      changed,
      new Map(
        Object.entries({ ...kept, '.DS_Store': Buffer.from('x'), 'data/a/b/c.txt': Buffer.from('DEEP') }),
      ),
    )
    await using opened = await openPage(browser, page)
    await drop(opened.page, changed)
    const { verdict, errors, text } = await readResult(opened.page)
    assert.equal(verdict, 'FAIL')
    for (const start of [
      'artifact_missing: data/hello.txt',
      'artifact_unlisted: .DS_Store',
      'artifact_hash_mismatch: data/a/b/c.txt',
    ])
      assert.ok(
        errors.some((line) => line.startsWith(start)),
        errors.join('\n'),
      )
    assert.match(text, /If you have the kit\.zip, check that instead/)
  })

  test('every file of a dropped folder is checked, whatever its name', async () => {
    const added = ['invoice.lnk', 'desktop.ini', 'data/a.url', 'data/nul', 'data/~draft', 'data/a/end.']
    const more = join(folder, 'more')
    writeFolder(more, new Map([...kit.contents, ...added.map((path) => [path, Buffer.from('x')] as const)]))
    await using opened = await openPage(browser, page)
    await drop(opened.page, more)
    const { verdict, errors } = await readResult(opened.page)
    assert.equal(verdict, 'FAIL')
    assert.deepEqual(
      errors
        .filter((line) => line.startsWith('artifact_unlisted'))
        .map((line) => line.split(': ', 2).join(': ').split(/[\s,]/)[1])
        .toSorted(),
      added.toSorted(),
    )
  })

  test('dragged text can be dropped into the key ID field', async () => {
    await using opened = await openPage(browser, page, {})
    await checkZip(opened.page, zip)
    await opened.page.locator('#kid').scrollIntoViewIfNeeded()
    const box = await opened.page.locator('#kid').boundingBox()
    assert.ok(box !== null)
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const devtools = await opened.page.context().newCDPSession(opened.page)
    const data = { items: [{ mimeType: 'text/plain', data: kid }], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devtools.send('Input.dispatchDragEvent', { type, ...at, data })
    assert.equal(await opened.page.locator('#kid').inputValue(), kid)
    assert.equal(await opened.page.locator('#problem').textContent(), '')
  })

  test('a key set can be dropped together with a kit, or afterwards', async () => {
    await using opened = await openPage(browser, page)
    await drop(opened.page, zip, jwks)
    await opened.page.locator('#chosen-keys', { hasText: 'issuer.json contains 1 key' }).waitFor()
    assert.equal((await giveKeys(opened.page, {})).verdict, 'PASS')
    await using later = await openPage(browser, page)
    await checkZip(later.page, zip)
    await drop(later.page, jwks)
    await later.page.locator('#chosen-keys', { hasText: 'issuer.json contains 1 key' }).waitFor()
    assert.equal(await later.page.locator('#confirmed').isChecked(), false)
    assert.equal((await giveKeys(later.page, {})).verdict, 'PASS')
    await drop(later.page, jwks)
    await later.page.locator('#problem', { hasText: 'issuer.json was not used' }).waitFor()
  })

  test('the key set in a dropped kit is never trusted', async () => {
    const inside = join(unpacked, kit.sealed.manifest.kit_id)
    const tops = new Set([...kit.contents.keys()].map((path) => join(inside, path.split('/', 1)[0] ?? '')))
    await using fromFile = await openPage(browser, page)
    await drop(fromFile.page, ...tops)
    await fromFile.page.locator('#problem', { hasText: 'Drop the folder on its own' }).waitFor()
    await using opened = await openPage(browser, 'about:blank', {})
    const site = 'https://issuer.example/'
    const body = Buffer.from(verifierPage())
    await opened.page.route(site, (route) => route.fulfill({ contentType: 'text/html', body }))
    await opened.page.goto(site)
    await drop(opened.page, ...tops)
    const shown = await readResult(opened.page)
    assert.equal(await opened.page.locator('#chosen-keys').isVisible(), false)
    assert.match(shown.errors.join('\n'), /^signer_not_trusted: [^\n]*$/)
  })

  test('unusable input is rejected with a message that says what to choose', async () => {
    const empty = join(folder, 'empty')
    const photos = join(folder, 'photos')
    mkdirSync(empty)
    writeFolder(photos, new Map([['beach.jpg', Buffer.from('x')]]))
    const expected = /Choose one kit: its kit\.zip, or the folder you unpacked it to\.$/
    const unusable = [
      { dropped: [file('report.pdf', '%PDF-1.7')], says: /^report\.pdf is not a kit\./ },
      { dropped: [empty], says: /^No files found\./ },
      {
        dropped: [photos],
        says: /^The folder photos is not a kit: it has no manifest\.json or receipt\.json/,
      },
      { dropped: [zip, file('second.zip', kit.zip)], says: /^That is more than one kit\./ },
      { dropped: [zip, unpacked], says: /^Drop the folder on its own/ },
    ] as const
    await using opened = await openPage(browser, page)
    for (const { dropped, says } of unusable) {
      await drop(opened.page, ...dropped)
      const problem = opened.page.locator('#problem', { hasText: says })
      await problem.waitFor()
      assert.match((await problem.textContent()) ?? '', expected)
      assert.equal(await opened.page.locator('#result').isVisible(), false)
    }
    await drop(opened.page, file('notes.json', '{"a":1,"a":2}'))
    await opened.page.locator('#problem', { hasText: 'notes.json is not a kit' }).waitFor()
    assert.deepEqual(opened.problems, [])
  })

  for (const [what, content] of [
    ['no key at all', '{"keys":[]}'],
    ['no Ed25519 key', '{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA","kid":"other"}]}'],
  ] as const) {
    test(`a key set with ${what} still fails if a key ID is given, and stays listed`, async () => {
      await using opened = await openPage(browser, page)
      await checkZip(opened.page, zip)
      await enterKeys(opened.page, { keySet: file('none.json', content) })
      const named = opened.page.locator('#chosen-keys', { hasText: 'none.json contains no Ed25519 key' })
      for (const given of [kid, '']) {
        const { verdict, errors } = await giveKeys(opened.page, { kid: given })
        assert.equal(verdict, 'FAIL')
        assert.match(errors.join('\n'), /^key_not_in_jwks: [^\n]*$/)
        assert.equal(await named.isVisible(), true)
      }
    })
  }

  for (const [what, content] of [
    ['is not a key set', '{"a":1}'],
    ['is not JSON', 'not JSON'],
    ['has a duplicate member', '{"keys":[],"keys":[]}'],
  ] as const) {
    test(`a chosen key set that ${what} is rejected until another is chosen`, async () => {
      await using opened = await openPage(browser, page)
      await checkZip(opened.page, zip)
      await enterKeys(opened.page, { keySet: file('broken.json', content) })
      await opened.page.locator('#chosen-keys', { hasText: 'broken.json is not a key set' }).waitFor()
      for (const given of [kid, '']) {
        await opened.page.locator('#kid').fill(given)
        await opened.page.locator('#confirmed').check()
        await opened.page.locator('#check-again').click()
        await opened.page.locator('#key-problem', { hasText: 'broken.json is not a key set' }).waitFor()
        assert.equal(await opened.page.locator('.verdict.warn').count(), 1, 'still not confirmed')
      }
      assert.equal((await giveKeys(opened.page, { keySet: jwks })).verdict, 'PASS')
    })
  }

  test('“Check again” without a key, or with an invalid key ID, says what is missing', async () => {
    await using opened = await openPage(browser, page)
    await checkZip(opened.page, zip)
    const problem = opened.page.locator('#key-problem')
    await opened.page.locator('#check-again').click()
    await problem.filter({ hasText: 'Choose the issuer’s key set, or enter a key ID' }).waitFor()
    await opened.page.locator('#kid').fill('not a kid')
    await opened.page.locator('#check-again').click()
    await problem.filter({ hasText: '“not” is not a key ID' }).waitFor()
    assert.equal(await opened.page.locator('#kid').getAttribute('aria-invalid'), 'true')
    assert.equal(await opened.page.locator('.verdict.warn').count(), 1)
  })

  test('broken archives fail without an error', async () => {
    const { zip: whole } = kit
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251))
    const broken = {
      'empty.zip': Buffer.alloc(0),
      'noise.zip': noise,
      'cut.zip': whole.subarray(0, whole.length - 30),
      'prefixed.zip': Buffer.concat([noise, whole]),
    }
    await using opened = await openPage(browser, page)
    for (const [name, bytes] of Object.entries(broken)) {
      await drop(opened.page, file(name, bytes))
      const shown = await readResult(opened.page, name)
      assert.equal(shown.verdict, 'FAIL', name)
      assert.ok(
        shown.errors.some((line) => line.startsWith('kit_unreadable: ')),
        name,
      )
    }
    assert.deepEqual(opened.problems, [])
  })

  test('the page on an issuer’s own site verifies its kits, and calls kits that it did not sign forged', async () => {
    await using server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(verifierPage({ from, jwks: keySetOf(testSigner()) }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const from = `http://${host}`
    const own = await makeKit({ 'a.txt': 'own' }, { issuer: from })
    const forger = { signer: testSigner(2), jwks: keySetOf(testSigner(2)) }
    const forged = await makeKit({ 'a.txt': 'forged' }, { ...forger, issuer: from })
    const other = await makeKit({ 'a.txt': 'a' }, { ...forger, issuer: 'https://other.example' })
    await using opened = await openPage(browser, from)
    const intro = opened.page.locator('#own-keys')
    assert.equal(await intro.innerText(), `Kits are checked with the keys that ${from} publishes.`)
    const passed = await checkZip(opened.page, file('own.zip', own.zip))
    assert.equal(passed.verdict, 'PASS')
    assert.ok(passed.text.includes(`signed with the key that this site, ${host}, publishes.`))
    const named = await checkZip(opened.page, file('forged.zip', forged.zip))
    assert.equal(named.heading, VERDICTS.signer_unknown.heading)
    assert.ok(named.text.includes(`This kit names ${from}, and ${from} did not sign it. Treat it as forged.`))
    assert.equal(await opened.page.locator('.key-form').count(), 0, 'no other keys can make it genuine')
    const elsewhere = await checkZip(opened.page, file('other.zip', other.zip))
    assert.equal(elsewhere.heading, VERDICTS.sender_unconfirmed.heading)
    const here = `This site is ${host}. The receipt names https://other.example as its issuer.`
    assert.ok(elsewhere.text.includes(here), elsewhere.text)
    assert.match(elsewhere.text, /https:\/\/other\.example\/verify/)
    const given = await giveKeys(opened.page, { kid: testSigner(2).kid })
    assert.equal(given.verdict, 'PASS')
    assert.match(given.text, /signed with the key you gave\./)
  })

  test('the page of an issuer’s site that was saved to disk does not claim the keys of the issuer', async () => {
    const from = 'https://issuer.example'
    const saved = file('saved.html', verifierPage({ from, jwks: keySetOf(testSigner()) }))
    const forger = { signer: testSigner(2), jwks: keySetOf(testSigner(2)) }
    const forged = file('forged.zip', (await makeKit({ 'a.txt': 'forged' }, forger)).zip)
    await using opened = await openPage(browser, pathToFileURL(saved).href)
    assert.equal(await opened.page.locator('#own-keys').isVisible(), false)
    for (const each of [zip, forged]) {
      const shown = await checkZip(opened.page, each)
      assert.equal(shown.verdict, 'FAIL')
      assert.equal(shown.heading, VERDICTS.sender_unconfirmed.heading)
      assert.doesNotMatch(shown.text, /This site is|did not sign it/)
    }
  })

  test('a large kit is verified in a worker that reports progress', async () => {
    const large = await makeKit({ 'large.bin': Buffer.alloc(48 * 1024 * 1024, 7) })
    await using opened = await openPage(browser, page)
    let workers = 0
    opened.page.on('worker', () => workers++)
    await opened.page.evaluate(`
      globalThis.seen = []
      new MutationObserver(() => seen.push(progress.value)).observe(progress, { attributes: true })
    `)
    await checkZip(opened.page, file('large.zip', large.zip))
    const seen: number[] = await opened.page.evaluate('seen')
    assert.ok(
      seen.some((value) => value > 0 && value < 1),
      String(seen),
    )
    assert.equal(workers, 1)
  })

  test('without workers the page verifies on its own thread', async () => {
    await using opened = await openPage(browser, page)
    await opened.page.evaluate('delete globalThis.Worker')
    assert.equal((await checkZipWith(opened.page, zip, { kid })).verdict, 'PASS')
  })

  test('a browser without Ed25519 support shows a notice', async () => {
    await using opened = await openPage(browser, page, {})
    const notice = opened.page.locator('#old-browser')
    assert.equal(await notice.isVisible(), false)
    await opened.page.addInitScript('SubtleCrypto.prototype.importKey = () => Promise.reject(new Error())')
    await opened.page.reload()
    await notice.waitFor()
    assert.equal((await opened.page.evaluate('delete globalThis.Worker')) as boolean, true)
    assert.equal((await checkZip(opened.page, zip)).verdict, 'FAIL')
    assert.equal(await opened.page.locator('.verdict.pass').count(), 0)
  })
})
