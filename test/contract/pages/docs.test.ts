import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type TestService, testService } from '../../kit/service.ts'

const root = path.join(import.meta.dirname, '../../..')
let service: TestService

before(async () => {
  service = await testService()
})
after(() => service[Symbol.asyncDispose]())

const html = async (url: string): Promise<string> => (await service.call(url)).bytes.toString()
const linksOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/href="([/#][^"]*)"/g), ([, target = '']) => target)
const isPage = (url: string): boolean => url.startsWith('/docs') && !url.includes('.')

test('every page of the documentation and every link on it works, with scripts and styles of the service alone', async () => {
  const pages = new Map<string, string>()
  const waiting = ['/docs']
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (pages.has(url)) continue
    const response = await service.call(url)
    assert.equal(response.status, 200, url)
    assert.match(
      response.headers.get('content-security-policy') ?? '',
      /default-src 'none'.*script-src 'self'/,
    )
    const text = response.bytes.toString()
    assert.doesNotMatch(text, /<script(?! type="module" src="\/docs\/)|<style|src="https?:/, url)
    pages.set(url, text)
    waiting.push(
      ...linksOf(text).flatMap((link) =>
        isPage(link.split('#')[0] ?? '') ? [link.split('#')[0] ?? ''] : [],
      ),
    )
  }
  assert.ok(pages.size > 40, `${pages.size} pages`)
  for (const [url, text] of pages)
    for (const link of linksOf(text)) {
      const [target, anchor] = link.startsWith('#') ? [url, link.slice(1)] : link.split('#')
      if (isPage(target ?? '') && anchor !== undefined)
        assert.ok(pages.get(target ?? '')?.includes(`id="${decodeURI(anchor)}"`), `${url}: ${link}`)
    }
})

test('every guide is on the front page', async () => {
  const front = await html('/docs')
  for (const file of globSync('docs/{tutorials,how-to,reference,explanation}/*.md', { cwd: root }))
    assert.ok(front.includes(`href="/${file.replace(/\.md$/, '')}"`), file)
})

test('every page is Markdown at its address with .md, its links lead to Markdown that exists, and /llms.txt lists them all', async () => {
  const list = await service.call('/llms.txt')
  assert.match(list.headers.get('content-type') ?? '', /^text\/markdown/)
  const listed = list.bytes.toString()
  assert.match(listed, /^# kitseal\n\n> kitseal seals evidence/)
  const urls = Array.from(listed.matchAll(/\]\((\/docs\/[^)]+)\)/g), ([, url = '']) => url)
  assert.ok(urls.length > 40)
  for (const url of urls) {
    const response = await service.call(url)
    assert.equal(response.status, 200, url)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const prose = response.bytes.toString().replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, '')
    for (const [, href = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g))
      if (!/^(?:https?:|mailto:|#)/.test(href))
        assert.equal((await service.call(href.split('#')[0] ?? '')).status, 200, `${url}: ${href}`)
  }
})

test('the reference has every operation of the API', async () => {
  const { paths } = JSON.parse(readFileSync(path.join(root, 'spec/openapi.json'), 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>
  }
  for (const [url, item] of Object.entries(paths))
    for (const [method, { tags }] of Object.entries(item)) {
      const page = await html(`/docs/api/${(tags[0] ?? '').toLowerCase()}`)
      assert.ok(page.includes(`<code>${method.toUpperCase()} ${url}</code>`), `${method} ${url}`)
    }
})

test('a page that does not exist is 404: HTML for browsers, JSON for programs', async () => {
  const url = '/docs/reference/nothing'
  const program = await service.call(url)
  assert.equal(program.status, 404)
  assert.equal(program.json['code'], 'route_not_found')
  const browser = await fetch(`${service.base}${url}`, { headers: { accept: 'text/html' } })
  assert.equal(browser.status, 404)
  assert.match(await browser.text(), /Page not found/)
  assert.equal((await service.call('/docs/reference/nothing.md')).status, 404)
})
