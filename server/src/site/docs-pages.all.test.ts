import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { readGuidePages } from './guide-pages.ts'
import { root } from '../../test/generated-files.ts'
import { type TestService, testService } from '../../../test/kit/service.ts'

let service: TestService

before(async () => {
  service = await testService()
})
after(() => service[Symbol.asyncDispose]())

const html = async (path: string): Promise<string> => (await service.call(path)).bytes.toString()

test('the index lists every guide, once', () => {
  const listed = readGuidePages().map(({ file }) => file)
  const guides = globSync('docs/{tutorials,how-to,reference,explanation}/*.md', { cwd: root })
  assert.ok(guides.length > 12)
  assert.deepEqual(
    guides.filter((file) => !listed.includes(file)),
    [],
  )
  assert.equal(new Set(listed).size, listed.length)
})

test('every page and every link on it works, without scripts and without other hosts', async () => {
  const links = new Set<string>()
  for (const { url } of readGuidePages()) {
    const response = await service.call(url)
    assert.equal(response.status, 200, url)
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /default-src 'none'.*form-action 'self'/,
    )
    const text = response.bytes.toString()
    assert.doesNotMatch(text, /<script|src="https?:/, url)
    for (const [, target = ''] of text.matchAll(/href="([/#][^"]*)"/g))
      links.add(target.startsWith('#') ? url + target : target)
  }
  for (const link of links) {
    const [path = '', anchor] = link.split('#')
    if (!path.startsWith('/docs')) continue
    const text = await html(path)
    assert.equal((await service.call(path)).status, 200, link)
    if (anchor !== undefined) assert.ok(text.includes(`id="${decodeURI(anchor)}"`), link)
  }
})

test('every page is Markdown at its address with .md, its links lead to Markdown that exists, and /llms.txt lists them all', async () => {
  const list = await service.call('/llms.txt')
  assert.match(list.headers.get('content-type') ?? '', /^text\/markdown/)
  const listed = list.bytes.toString()
  assert.match(listed, /^# kitseal\n\n> kitseal seals evidence/)
  for (const { url, file } of readGuidePages()) {
    const response = await service.call(`${url}.md`)
    assert.equal(response.status, 200, url)
    const text = response.bytes.toString()
    assert.match(text, /^# /, file)
    if (url !== '/docs') assert.ok(listed.includes(`](${url}.md)`), url)
    const prose = text.replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, '')
    for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?:|mailto:|#)/.test(href)) continue
      const { status } = await service.call(href.split('#')[0] ?? '')
      assert.equal(status, 200, `${file}: ${href}`)
    }
  }
  const api = (await service.call('/docs/reference/api.md')).bytes.toString()
  assert.match(api, /- `POST \/v1\/submissions`: /)
  assert.equal((await service.call('/docs/reference/nothing.md')).status, 404)
})

test('the page being read is marked in the navigation', async () => {
  assert.match(
    await html('/docs/reference/settings'),
    /href="\/docs\/reference\/settings" aria-current="page"/,
  )
})

test('search finds guides, error codes, settings and endpoints where they are, and escapes what was typed', async () => {
  for (const [query, url] of [
    ['KITSEAL_ISSUER', '/docs/reference/settings#row.KITSEAL_ISSUER'],
    ['credits_exhausted', '/docs/reference/error-codes#row.credits_exhausted'],
    ['verify+a+receipt', '/docs/reference/api#verifyReceipt'],
  ] as const) {
    assert.ok((await html(`/docs/search?q=${query}`)).includes(` href="${url}"`), query)
    const [path = '', anchor = ''] = url.split('#')
    assert.ok((await html(path)).includes(`id="${anchor}"`), url)
  }
  const page = await html(`/docs/search?q=${encodeURIComponent('"><script>zzzz')}`)
  assert.match(page, /Results for “&quot;&gt;&lt;script&gt;zzzz”/)
  assert.doesNotMatch(page, /<script/)
  assert.match(await html('/docs/search?q=zzzz'), /No results for “zzzz”/)
  assert.match(
    await html('/docs/search?q=dokcer'),
    /No page contains “dokcer”. These are results for “docker”/,
  )
  assert.match(await html('/docs/search'), /Enter a word, a question/)
})

test('a page that does not exist is 404: HTML for browsers, JSON for programs', async () => {
  const url = '/docs/reference/nothing'
  const program = await service.call(url)
  assert.equal(program.status, 404)
  assert.equal(program.json['code'], 'route_not_found')
  const browser = await fetch(`${service.base}${url}`, { headers: { accept: 'text/html' } })
  assert.equal(browser.status, 404)
  assert.match(await browser.text(), /Page not found/)
})
