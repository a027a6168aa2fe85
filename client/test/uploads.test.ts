import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pauseAfter } from '../../test/kit/until.ts'
import { testService, type TestService } from '../../test/kit/service.ts'
import { evidenceFile } from '../node/index.ts'
import { createClient, systemPlatform } from '../src/index.ts'
import { startProxy } from './proxy.ts'

const LARGE_BYTES = 20 * 1024 * 1024

let service: TestService
let folder = ''
let large = ''
const content = Buffer.alloc(LARGE_BYTES)
for (let at = 0; at < LARGE_BYTES; at += 1000) content.write(`line ${at}\n`, at)
const sha256 = createHash('sha256').update(content).digest('hex')

before(async () => {
  service = await testService()
  folder = mkdtempSync(join(tmpdir(), 'kitseal-client-'))
  large = join(folder, 'large.log')
  writeFileSync(large, content)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const client = (baseUrl = service.base) =>
  createClient({
    baseUrl,
    apiKey: service.service.firstApiKey,
    platform: { ...systemPlatform, wait: (_, signal) => systemPlatform.wait(10, signal) },
  })

test('evidence of more than 16 MiB arrives although the connection is cut ten times', async () => {
  await using proxy = await cuttingProxy(service.base, 10, 1_800_000)
  const { createSubmission, uploadEvidence } = client(proxy.base)
  const { submission_id } = await createSubmission({ label: 'cut ten times' })
  const seen: number[] = []
  const uploaded = await uploadEvidence(
    submission_id,
    [evidenceFile(large), { name: 'note.txt', content: 'small' }],
    { final: false, onProgress: ({ doneBytes }) => void seen.push(doneBytes) },
  )
  assert.deepEqual(
    uploaded.evidence.map((one) => [one.name, one.sha256]),
    [
      ['large.log', sha256],
      ['note.txt', createHash('sha256').update('small').digest('hex')],
    ],
  )
  assert.equal(proxy.cuts(), 10)
  assert.equal(seen.at(-1), LARGE_BYTES + 5)
})

test('another call continues an upload of the same file, and not of one that changed', async () => {
  const { createSubmission, uploadEvidence, listUploads, deleteUpload } = client()
  const { submission_id } = await createSubmission({ label: 'continued' })
  const stop = new AbortController()
  const onProgress = ({ doneBytes }: { readonly doneBytes: number }): void => {
    if (doneBytes > 5_000_000) stop.abort(new Error('stopped'))
  }
  const files = [evidenceFile(large)]
  await assert.rejects(
    uploadEvidence(submission_id, files, { signal: stop.signal, onProgress, resume: true }),
    /stopped/,
  )
  const offsets = async (): Promise<readonly number[]> => {
    for (let looks = 0; ; looks += 1) {
      const { data: uploads } = await listUploads(submission_id)
      // The service may not have noticed yet that the connection is closed.
      if (uploads.every(({ offset_bytes }) => offset_bytes > 0)) return uploads.map((one) => one.offset_bytes)
      await pauseAfter(looks)
    }
  }
  const [offset = 0, ...others] = await offsets()
  assert.ok(offset > 0 && others.length === 0)

  utimesSync(large, 1, 1)
  await uploadEvidence(submission_id, [evidenceFile(large, 'other.log')], { resume: true, final: false })
  assert.equal((await offsets()).length, 1, 'the first upload is still there')

  await using counted = await startProxy(service.base, () => false)
  const again = client(counted.base)
  const uploaded = await again.uploadEvidence(submission_id, files, { resume: true, final: false })
  assert.equal(uploaded.evidence.find(({ name }) => name === 'large.log')?.sha256, sha256)
  const sent = counted.requests.filter(({ method }) => method === 'PATCH')
  assert.deepEqual(
    sent.map(({ headers }) => headers['upload-offset']),
    [String(offset)],
  )
  assert.ok(!counted.requests.some(({ method }) => method === 'POST'), 'nothing is created')

  const { evidence } = await again.uploadEvidence(submission_id, files, { resume: true })
  assert.equal(evidence.length, 2, 'files that are there are not sent again')
  assert.deepEqual((await listUploads(submission_id)).data, [])
  await assert.rejects(deleteUpload(submission_id, 'upl_unknown'), /no upload with this ID/)
})

test('an upload that the service has forgotten starts over', async () => {
  const forgotten = { count: 0 }
  await using proxy = await startProxy(service.base, (request, response) => {
    if (request.method !== 'PATCH' || forgotten.count > 0) return false
    forgotten.count += 1
    request.resume()
    const error = { code: 'upload_expired', message: 'expired', request_id: 'req_x', boundary: '' }
    request.on('end', () => response.writeHead(410).end(JSON.stringify(error)))
    return true
  })
  const { createSubmission, uploadFile, getSubmission } = client(proxy.base)
  const { submission_id } = await createSubmission({ label: 'forgotten' })
  await uploadFile(submission_id, { name: 'a.txt', content: 'not large' })
  assert.equal((await getSubmission(submission_id)).evidence[0]?.size_bytes, 9)
  const creations = proxy.requests.filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/uploads'),
  )
  assert.equal(creations.length, 2)
})

test('a file that becomes shorter during the upload is an error', async () => {
  const { createSubmission, uploadFile } = client()
  const { submission_id } = await createSubmission({ label: 'shorter' })
  await assert.rejects(
    uploadFile(submission_id, { name: 'a.txt', sizeBytes: 10, read: readShort }),
    /became shorter/,
  )
})

async function* readShort(): AsyncIterable<Uint8Array> {
  yield Buffer.from('short')
}

/** A TCP proxy that cuts the first connections that send much. */
async function cuttingProxy(target: string, cuts: number, afterBytes: number) {
  const { hostname, port } = new URL(target)
  const state = { cuts: 0 }
  const server = createServer((socket) => {
    const upstream = connect(Number(port), hostname)
    let passed = 0
    const end = (): void => {
      socket.destroy()
      upstream.destroy()
    }
    for (const one of [socket, upstream]) one.on('error', () => {}).on('close', end)
    upstream.pipe(socket)
    socket.on('data', (bytes) => {
      passed += bytes.length
      if (passed > afterBytes && state.cuts < cuts) {
        state.cuts += 1
        return end()
      }
      if (!upstream.write(bytes)) {
        socket.pause()
        upstream.once('drain', () => socket.resume())
      }
      return undefined
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    base: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    cuts: () => state.cuts,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

test('codes to accept are sent with large files, although more files may follow', async () => {
  const { createSubmission, uploadEvidence, getSubmission } = client()
  const { submission_id } = await createSubmission({ label: 'accept' })
  const options = { final: false, accept: ['malformed_pdf'] }
  await uploadEvidence(submission_id, [evidenceFile(large)], options)
  assert.deepEqual((await getSubmission(submission_id)).accept, ['malformed_pdf'])
})
