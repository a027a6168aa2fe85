import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Coding, CODINGS, preferredCoding } from '../http/request-headers.ts'

/** A built file with its precompressed versions. */
export interface StaticFile {
  readonly type: string
  readonly etag: string
  readonly bodies: Readonly<Record<Encoding, Buffer | undefined>> & { readonly identity: Buffer }
}

export type Encoding = Coding | 'identity'

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

/** A single path segment that is not a dotfile. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/

/** The files of one folder, cached in memory until they change on disk. */
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
