import { readFileSync, statSync } from 'node:fs'
import { chooseLanguage, type Language, LANGUAGES, Texts, type Values } from '@kitseal/kit/internal'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BUILT_PAGE_HEADERS } from '../http/headers.ts'
import { Refusal } from '../refusals.ts'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Coding, CODINGS, preferredCoding } from '../http/request-headers.ts'

/** HTML, as opposed to text that has to be escaped. */
export class Html {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Inserted = string | number | Html | undefined | readonly Html[]

/** A template of HTML. What is inserted as text is escaped; nothing is inserted for undefined. */
export function html(strings: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(written)))
}

function written(value: Inserted): string {
  if (value instanceof Html) return value.source
  if (typeof value === 'object') return value.map(({ source }) => source).join('')
  return String(value ?? '').replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export type Say = (key: string, args?: Values) => string

/** A page without scripts, in the language of the reader. */
export interface StaticPage {
  readonly title: (say: Say) => string
  readonly status?: number
  body(say: Say): Html | Promise<Html>
}

export const NOT_BUILT = 'The pages are not built. Run "npm run build" in the project folder.'

/** Sends pages that the service writes, with the texts and the stylesheet that were built. */
export function staticPageSender(pages: string) {
  const files = staticFiles(pages)
  const sayers = new Map<Language, Say>()
  const sayer = (language: Language): Say => {
    const known = sayers.get(language) ?? readSay(pages, language)
    sayers.set(language, known)
    return known
  }
  return async (request: FastifyRequest, reply: FastifyReply, page: StaticPage): Promise<FastifyReply> => {
    const language = languageOf(request)
    // The stylesheet is cached for ever under the address that has its hash.
    const version = files.find('assets/site.css')?.etag.slice(1, 9) ?? ''
    const say = sayer(language)
    const whole = framed(language, say, version, page.title(say), await page.body(say))
    return reply
      .code(page.status ?? 200)
      .headers({
        ...BUILT_PAGE_HEADERS,
        'cache-control': page.status === undefined ? 'no-cache' : 'no-store',
        vary: 'accept-language',
      })
      .type('text/html; charset=utf-8')
      .send(whole.source)
  }
}

/** The language that the link names, otherwise the first that the browser wants. */
function languageOf({ url, headers }: FastifyRequest): Language {
  const named = new URL(url, 'http://localhost').searchParams.get('lang')
  const wanted = (headers['accept-language'] ?? '').split(',').map((range) => range.split(';', 1)[0] ?? '')
  return chooseLanguage(named === null ? wanted : [named, ...wanted])
}

function readSay(pages: string, language: Language): Say {
  let messages: Readonly<Record<string, string>>
  try {
    messages = JSON.parse(readFileSync(`${pages}/site-${language}.json`, 'utf8'))
  } catch {
    throw new Refusal('pages_not_built', NOT_BUILT)
  }
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const texts = new Texts(messages, {
    number: (value) => numbers.format(value),
    date: (value) => value.toISOString().slice(0, 10),
    plural: (value) => rules.select(value),
    list: (parts) => parts.join(', '),
  })
  return (key, args) => texts.find(key, args) ?? key
}

/** The frame of every page, as the pages with scripts have it. */
function framed(language: Language, say: Say, version: string, title: string, body: Html): Html {
  const names = Object.entries(LANGUAGES)
  const links = names.map(([code, name]) =>
    code === language
      ? html`<span aria-current="true" lang="${code}">${name}</span>`
      : html`<a href="?lang=${code}" lang="${code}">${name}</a>`,
  )
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title === '' ? say('frame.name') : say('frame.documentTitle', { title })}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/site.css?v=${version}" />
      </head>
      <body>
        <div class="frame">
          <a class="skip" href="#main">${say('frame.skip')}</a>
          <header class="top">
            <div class="top-inner">
              <a class="brand" href="/" aria-label="${say('frame.home')}"
                ><img src="/favicon.svg" alt="" width="30" height="30" /><span>${say('frame.name')}</span></a
              >
              <nav class="top-nav" aria-label="${say('frame.navigation')}">
                <a href="/verify">${say('frame.verify')}</a><a href="/docs">${say('frame.docs')}</a
                ><a href="/console">${say('frame.console')}</a>
              </nav>
            </div>
          </header>
          <div class="middle"><main id="main" tabindex="-1">${body}</main></div>
          <footer class="boundary">
            <p>${say('kit.boundary')}</p>
            <p class="row">${links}</p>
          </footer>
        </div>
      </body>
    </html> `
}

/** A part of a page with a heading. */
export const card = (title: string, ...inside: readonly Html[]): Html =>
  html`<section class="card">
    <div class="card-head"><h2>${title}</h2></div>
    ${inside}
  </section>`

/** A table whose rows become blocks on a phone. */
export const table = (columns: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html =>
  html`<table class="table stacked">
    <thead>
      <tr>
        ${columns.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell, at) => html`<td data-name="${columns[at] ?? ''}">${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`

export const facts = (all: readonly (readonly [name: string, value: string | Html])[]): Html =>
  html`<dl class="facts">
    ${all.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`

export const code = (text: string): Html => html`<code>${text}</code>`

/** A built file with its precompressed versions. */
export interface StaticFile {
  readonly type: string
  readonly etag: string
  readonly bodies: Readonly<Record<Encoding, Buffer | undefined>> & { readonly identity: Buffer }
}

type Encoding = Coding | 'identity'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/markdown; charset=utf-8',
  webp: 'image/webp',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
}

/** A file of the folder, or of a folder in it. No dotfiles. */
const NAME = /^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}\/)?[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/

/** The files of a folder, cached in memory until they change on disk. */
export function staticFiles(folder: string) {
  const cached = new Map<string, { readonly version: string; readonly file: StaticFile }>()
  return {
    find: (name: string): StaticFile | undefined => {
      const type = NAME.test(name) ? TYPES[name.slice(name.lastIndexOf('.') + 1)] : undefined
      const path = join(folder, name)
      const version = type === undefined ? undefined : versionOf(path)
      if (type === undefined || version === undefined) return undefined
      const known = cached.get(name)
      if (known?.version === version) return known.file
      const file = readStatic(path, type)
      cached.set(name, { version, file })
      return file
    },
  }
}

function versionOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : undefined
}

function readStatic(path: string, type: string): StaticFile {
  const identity = readFileSync(path)
  const compressed = (ending: string): Buffer | undefined =>
    versionOf(path + ending) === undefined ? undefined : readFileSync(path + ending)
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`
  return { type, etag, bodies: { identity, br: compressed('.br'), gzip: compressed('.gz') } }
}

/** The encoding that the client prefers, of those that the file has. */
export function bestEncoding(file: StaticFile, acceptEncoding: string | undefined): Encoding {
  const available = CODINGS.filter((coding) => file.bodies[coding] !== undefined)
  return preferredCoding(acceptEncoding, available) ?? 'identity'
}
