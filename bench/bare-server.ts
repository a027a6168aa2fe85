// What nobody can leave out: `node bench/bare-server.ts FOLDER [KIT_BYTES] [KEY]`. It takes the requests of a submission, stores as many
// bytes, commits once and signs once; hashes and stores what is uploaded; verifies one signature; and returns a fixed job.
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const [folder = '.', kitBytes = '0', x = ''] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const [log, place] = [openSync(join(folder, 'log'), 'a'), openSync(folder, 'r')]
const kit = Buffer.alloc(Number(kitBytes), 1)
const { privateKey } = generateKeyPairSync('ed25519')
const verifying =
  x === '' ? undefined : createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
const submissions: ('PENDING' | 'SUBMITTED' | 'PASS')[] = []
let uploads = 0

const server = createServer((request, response) => void answer(request, response))
server.listen(0, '127.0.0.1', () =>
  console.log(`address http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.on('SIGTERM', () => process.exit())

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, , noun, id] = request.url?.split('/') ?? []
  if (request.method === 'PUT') return reply(response, 200, { sha256: await stored(request) })
  if (noun === 'intake') return reply(response, 200, JOB)
  if (request.method === 'GET') return reply(response, 200, { status: submissions[Number(id)] })
  const body = await bodyOf(request)
  if (noun === 'verify') return reply(response, 200, { status: isSigned(body) ? 'PASS' : 'FAIL' })
  if (id === undefined) return reply(response, 201, { submission_id: submissions.push('PENDING') - 1 })
  submissions[Number(id)] = 'SUBMITTED'
  keep(`evidence-${id}`, body)
  reply(response, 202, { sha256: createHash('sha256').update(body).digest('hex') })
  setImmediate(() => {
    keep(`kit-${id}`, kit)
    sign(null, createHash('sha256').update(kit).digest(), privateKey)
    writeSync(log, Buffer.alloc(4120, 1))
    fdatasyncSync(log)
    submissions[Number(id)] = 'PASS'
  })
}

const JOB = {
  job_id: 'job_00000000000000000000000000',
  tenant_id: 'bench',
  scope_label: 'bench',
  status: 'ISSUED',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  kit_id: 'kit_00000000000000000000000000',
}

async function stored(request: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  await using file = await open(join(folder, `upload-${(uploads += 1)}`), 'wx')
  for await (const chunk of request as AsyncIterable<Buffer>) {
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  await file.sync()
  return hash.digest('hex')
}

function isSigned(body: Buffer): boolean {
  const { signature, ...signed } = JSON.parse(body.toString()) as Record<string, string>
  const message = Buffer.from(JSON.stringify(signed))
  if (verifying !== undefined) verify(null, message, verifying, Buffer.from(signature ?? '', 'base64url'))
  return true
}

/** Writes and syncs a file and its folder. */
function keep(name: string, content: Uint8Array): void {
  const file = openSync(join(folder, name), 'wx')
  writeSync(file, content)
  fsyncSync(file)
  closeSync(file)
  fsyncSync(place)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function reply(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length })
  response.end(text)
}
