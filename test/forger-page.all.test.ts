import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, noBrowser, openPage } from '../kit/embed/test/browser.ts'
import { checkZip, drop, enterKeys, giveKeys, readResult } from '../kit/embed/test/on-page.ts'
import { type NodeSigner, sealFolder } from '../kit/node/internal.ts'
import { english } from '../kit/src/texts/english.ts'
import { keySetOf, testSigner } from '../kit/test/make-kit.ts'
import { needs } from './kit/needs.ts'

const genuine = testSigner()
const forger = testSigner(66)

describe(
  'the page in a kit that a forger sealed under the name of an issuer',
  { skip: noBrowser || needs('unzip').skip },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-forger-page-'))
    let browser: Browser
    let site: Server
    let issuer: string
    let forged: Unpacked
    let published: string

    before(async () => {
      const keys = JSON.stringify({ ...keySetOf(genuine), revoked_keys: [] })
      site = createServer((_request, response) => response.end(keys))
      site.listen(0, '127.0.0.1')
      await once(site, 'listening')
      issuer = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
      browser = await launchBrowser()
      forged = await unpackedKit('forged', forger)
      published = join(folder, 'published.json')
    })
    after(async () => {
      await browser?.close()
      site.close()
      rmSync(folder, { recursive: true })
    })

    async function unpackedKit(name: string, signer: NodeSigner): Promise<Unpacked> {
      const evidence = join(folder, `${name} evidence`)
      mkdirSync(evidence)
      writeFileSync(join(evidence, 'a.txt'), name)
      const zip = join(folder, `${name}.zip`)
      const { manifest } = await sealFolder(evidence, { signer, issuer, out: zip })
      execFileSync('unzip', ['-q', zip, '-d', folder])
      const unpacked = join(folder, manifest.kit_id)
      return { zip, folder: unpacked, page: pathToFileURL(join(unpacked, 'START-HERE.html')).href }
    }

    test('dropping the zip or the folder does not confirm the sender', async () => {
      for (const dropped of [forged.zip, forged.folder]) {
        await using opened = await openPage(browser, forged.page, {})
        await drop(opened.page, dropped)
        await readResult(opened.page)
        assert.equal(await verdictOf(opened.page), 'sender_unconfirmed')
      }
    })

    test('the forger’s key set and key ID do not count without a statement of the reader', async () => {
      const inKit = join(forged.folder, 'jwks.json')
      const reformatted = join(folder, 'keys-of-the-issuer.json')
      const { keys } = JSON.parse(readFileSync(inKit, 'utf8')) as { keys: unknown }
      writeFileSync(reformatted, JSON.stringify({ revoked_keys: [], keys }, null, 2))
      for (const given of [{ keySet: inKit }, { keySet: reformatted }, { kid: forger.kid }]) {
        await using opened = await openPage(browser, forged.page, {})
        await checkZip(opened.page, forged.zip)
        await enterKeys(opened.page, given)
        await opened.page.locator('#check-again').click()
        await opened.page.locator('#key-problem', { hasText: 'Where is it from?' }).waitFor()
        assert.equal(await verdictOf(opened.page), 'sender_unconfirmed')
      }
    })

    test('with the key set from the linked address, or with the real key ID, the forgery shows', async () => {
      await using opened = await openPage(browser, forged.page, {})
      await checkZip(opened.page, forged.zip)
      const address = await opened.page.locator('.key-form a').getAttribute('href')
      writeFileSync(published, await (await fetch(address!)).text())
      await giveKeys(opened.page, { keySet: published })
      assert.equal(await verdictOf(opened.page), 'signer_unknown')
      await giveKeys(opened.page, { kid: genuine.kid })
      assert.equal(await verdictOf(opened.page), 'signer_unknown')
      assert.match(
        await opened.page.locator('.verdict').innerText(),
        new RegExp(english('verdicts.signer_unknown.heading')),
      )
    })

    test('the same steps verify a genuine kit', async () => {
      const kit = await unpackedKit('genuine', genuine)
      await using opened = await openPage(browser, kit.page, {})
      await checkZip(opened.page, kit.zip)
      const address = await opened.page.locator('.key-form a').getAttribute('href')
      writeFileSync(published, await (await fetch(address!)).text())
      await giveKeys(opened.page, { keySet: published })
      assert.equal(await verdictOf(opened.page), 'verified')
    })

    test('the page names the issuer as a claim, and never points to the key set in the kit', async () => {
      await using opened = await openPage(browser, forged.page, {})
      const text = await opened.page.locator('body').innerText()
      assert.ok(text.includes(`This one names ${issuer} as its issuer, but anyone can write that name.`))
      const { text: result } = await checkZip(opened.page, forged.zip)
      assert.doesNotMatch(`${text}${result}`.replaceAll(`${issuer}/.well-known/jwks.json`, ''), /jwks\.json/)
    })
  },
)

const verdictOf = (page: Page): Promise<string | null> => page.locator('.result').getAttribute('data-verdict')

interface Unpacked {
  readonly zip: string
  readonly folder: string
  readonly page: string
}
