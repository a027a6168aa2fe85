import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { announce } from './announce.ts'
import { syncedFolder } from './syncs.ts'

/**
 * A minimal submission server: the same requests, the same bytes on disk, one commit, one signature. It checks nothing, has
 * no database and makes no kit. Takes a folder, and the bytes that a kit adds to its evidence.
 */
const disk = syncedFolder(process.argv[2] ?? '.')
const kit = Buffer.alloc(Number(process.argv[3] ?? 0), 1)
const { privateKey } = generateKeyPairSync('ed25519')
const submissions: ('PENDING' | 'SUBMITTED' | 'PASS')[] = []

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  const id = Number(request.url?.split('/')[3])
  if (request.method === 'GET') return answer(response, 200, { status: submissions[id] })
  if (Number.isNaN(id))
    return answer(response, 201, { submission_id: String(submissions.push('PENDING') - 1) })
  submissions[id] = 'SUBMITTED'
  disk.keep(`evidence-${id}`, body)
  answer(response, 202, { sha256: createHash('sha256').update(body).digest('hex') })
  setImmediate(() => {
    disk.keep(`kit-${id}`, kit)
    sign(null, createHash('sha256').update(kit).digest(), privateKey)
    disk.commit()
    submissions[id] = 'PASS'
  })
})
announce(server)
process.on('SIGTERM', () => process.exit())

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
