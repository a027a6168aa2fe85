import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  checkpointText,
  entryBundle,
  hex,
  leafBytes,
  leafHash,
  type LogLeaf,
  merkleRoot,
  noteBytes,
  parseTilePath,
  thumbprint,
  tileWidth,
  utf8,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import { type NoteSigner, testLogKey } from '../../kit/test/make-log.ts'

const { digest } = nodeHost

/** A log that serves whatever a test puts into it, with valid tiles and signatures unless the test overrides them. */
export interface ScriptedLog extends AsyncDisposable {
  readonly issuer: string
  readonly vkey: string
  readonly origin: string
  entries: Uint8Array[]
  signer: NoteSigner
  cosigners: NoteSigner[]
  /** The time of cosignatures, in seconds. */
  time: number
  /** Public keys in the key set, as `x`. */
  keys: string[]
  /** Answers requests before the log does, by path. */
  readonly overrides: Map<string, (response: ServerResponse, body: string) => void>
  /** The paths that were requested since the last call. */
  requested(): readonly string[]
  /** A signed checkpoint of these entries. */
  note(entries: readonly Uint8Array[], cosigners?: readonly NoteSigner[]): Uint8Array
}

export async function scriptedLog(): Promise<ScriptedLog> {
  let requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const override = log.overrides.get(path)
      if (override !== undefined) return override(response, body)
      const content = contentOf(log, path)
      response.writeHead(content === undefined ? 404 : 200).end(content)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `127.0.0.1:${port}/log`
  const signer = testLogKey(origin)
  const log: ScriptedLog = {
    issuer: `http://127.0.0.1:${port}`,
    vkey: vkey(signer.key),
    origin,
    entries: [],
    signer,
    cosigners: [],
    time: Math.floor(Date.now() / 1000),
    keys: [KEY_X],
    overrides: new Map(),
    requested: () => {
      const made = requests
      requests = []
      return made
    },
    note: (entries, cosigners = log.cosigners) => {
      const root = merkleRoot(
        entries.map((entry) => leafHash(entry, digest)),
        digest,
      )
      const text = checkpointText({ origin, size: entries.length, root })
      const signatures = [log.signer.sign(text), ...cosigners.map((each) => each.cosign(text, log.time))]
      return noteBytes({ text, signatures })
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return log
}

function contentOf(log: ScriptedLog, path: string): Uint8Array | string | undefined {
  if (path === '/log/checkpoint') return log.note(log.entries)
  if (path === '/log/policy') return `log ${vkey(log.signer.key)} ${log.issuer}/log\nquorum none\n`
  if (path === '/.well-known/jwks.json')
    return JSON.stringify({
      keys: log.keys.map((x) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        x,
        kid: thumbprint(x),
        use: 'sig',
        alg: 'EdDSA',
      })),
    })
  return path.startsWith('/log/tile/') ? tileOf(log.entries, path.slice('/log/'.length)) : undefined
}

/** The content of a tile of a log with these entries. */
export function tileOf(entries: readonly Uint8Array[], path: string): Uint8Array | undefined {
  const { level, index, width } = parseTilePath(path)
  if (tileWidth(level, index, entries.length) < width) return undefined
  if (level === 'entries') return entryBundle(entries.slice(index * 256, index * 256 + width))
  const span = 256 ** level
  const hashes = Array.from({ length: width }, (_, at) => {
    const first = (index * 256 + at) * span
    return merkleRoot(
      entries.slice(first, first + span).map((entry) => leafHash(entry, digest)),
      digest,
    )
  })
  return Buffer.concat(hashes)
}

export const KEY_X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
const AT = '2026-05-05T09:30:00.000Z'
const version = 'kitseal-leaf-1'

export const sha256Of = (text: string): string => hex(digest(utf8(text)))

export const keyAdded = (x = KEY_X): Uint8Array =>
  leafBytes({ leaf_version: version, kind: 'key', kid: thumbprint(x), event: 'added', at: AT })

/** The leaf of a receipt that is named by its job, unless it says otherwise. */
export const receipt = (job: string, { name = job, x = KEY_X } = {}): Uint8Array => {
  const leaf: LogLeaf = {
    leaf_version: version,
    kind: 'receipt',
    receipt_sha256: sha256Of(`receipt ${name}`),
    kid: thumbprint(x),
    job_tag: sha256Of(job),
  }
  return leafBytes(leaf)
}

/** A key and then receipts, `size` leaves in all. */
export const healthy = (size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, at) => (at === 0 ? keyAdded() : receipt(`job ${at}`)))
