import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keySetOf, testSigner } from '../../kit/test/make-kit.ts'
import { readKeySet } from './read-documents.ts'
import { InputError } from './input-error.ts'

let folder = ''
before(() => (folder = mkdtempSync(join(tmpdir(), 'kitseal-keys-'))))
after(() => rmSync(folder, { recursive: true }))

const refusal =
  (text: RegExp) =>
  (error: unknown): boolean =>
    error instanceof InputError && text.test(error.message)

test('a response beyond the size limit is aborted', async () => {
  let sent = 0
  const server = createServer((_request, response) => {
    const piece = Buffer.alloc(256 * 1024, 0x20)
    const more = (): void => {
      while (!response.destroyed && sent < 600_000_000) {
        sent += piece.length
        if (!response.write(piece)) return void response.once('drain', more)
      }
    }
    more()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const closed = new Promise((ended) => server.once('connection', (socket) => socket.once('close', ended)))
    await assert.rejects(readKeySet(`http://127.0.0.1:${port}/jwks.json`), refusal(/larger than 4 MiB/))
    await closed
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes were sent`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test('an unreachable URL is reported with a fix', async () => {
  await assert.rejects(
    readKeySet('http://127.0.0.1:1/jwks.json'),
    refusal(/^cannot fetch .*\. Check the URL, or download the file and pass its path\.$/),
  )
})

test('large files, devices and folders are rejected without being read', async () => {
  const large = join(folder, 'large.json')
  writeFileSync(large, '')
  truncateSync(large, 4 * 1024 * 1024 + 1)
  await assert.rejects(readKeySet(large), refusal(/larger than 4 MiB/))
  await assert.rejects(
    readKeySet('/dev/zero'),
    refusal(/^cannot read \/dev\/zero: it is not a regular file$/),
  )
  await assert.rejects(readKeySet(folder), refusal(/it is a folder$/))
})

test('a key set is read from a file and from a pipe', () => {
  const path = join(folder, 'jwks.json')
  writeFileSync(path, JSON.stringify(keySetOf(testSigner())))
  const script = `import { readKeySet } from ${JSON.stringify(new URL('./read-documents.ts', import.meta.url).href)}
    for (const source of process.argv.slice(1)) console.log((await readKeySet(source)).keys.length)`
  const command = 'cat "$3" | "$1" --input-type=module -e "$2" /dev/stdin "$3"'
  const printed = execFileSync('sh', ['-c', command, 'sh', process.execPath, script, path], {
    encoding: 'utf8',
  })
  assert.equal(printed, '1\n1\n')
})
