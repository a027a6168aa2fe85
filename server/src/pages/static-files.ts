import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the built pages, with the forms that it was compressed to when it was built. */
export interface StaticFile {
  readonly type: string
  readonly etag: string
  readonly bodies: Readonly<Record<Encoding, Buffer | undefined>> & { readonly identity: Buffer }
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Files of one folder, kept in memory. One that is built again meanwhile is read again. */
export interface StaticFiles {
  /** Undefined where there is none of this name. */
  find(name: string): StaticFile | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  webmanifest: 'application/manifest+json',
}

/** One segment, and nothing that leads elsewhere. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/

export function staticFiles(folder: string): StaticFiles {
  const kept = new Map<string, { readonly state: string; readonly file: StaticFile }>()
  return {
    find: (name) => {
      const type = NAME.test(name) ? TYPES[name.slice(name.lastIndexOf('.') + 1)] : undefined
      const path = join(folder, name)
      const state = type === undefined ? undefined : stateOf(path)
      if (type === undefined || state === undefined) return undefined
      const known = kept.get(name)
      if (known?.state === state) return known.file
      const file = readStatic(path, type)
      kept.set(name, { state, file })
      return file
    },
  }
}

function stateOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? `${stat.mtimeMs} ${stat.size} ${stat.ino}` : undefined
}

function readStatic(path: string, type: string): StaticFile {
  const identity = readFileSync(path)
  const compressed = (ending: string): Buffer | undefined =>
    stateOf(path + ending) === undefined ? undefined : readFileSync(path + ending)
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 27)}"`
  return { type, etag, bodies: { identity, br: compressed('.br'), gzip: compressed('.gz') } }
}

/** The smallest form that the client takes. */
export function bestEncoding(file: StaticFile, accepted: string | undefined): Encoding {
  const takes = new Set(
    (accepted ?? '')
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';', 1)[0]?.trim()),
  )
  if (file.bodies.br !== undefined && takes.has('br')) return 'br'
  return file.bodies.gzip !== undefined && takes.has('gzip') ? 'gzip' : 'identity'
}
