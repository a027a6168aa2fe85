import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testService } from '../../kit/service.ts'
import { form, workspaceClient } from '../../kit/workspace.ts'
import { needs } from '../../kit/needs.ts'

const folder = mkdtempSync(join(tmpdir(), 'kitseal-exports-'))
after(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)

const page = readFileSync(new URL('../../../docs/reference/exports.md', import.meta.url), 'utf8')
const PACKAGES = ['python3-cbor2', 'python3-cryptography', 'python3-cffi-backend']

const finds = (path: string): boolean =>
  spawnSync('/usr/bin/python3', ['-c', 'import cbor2, cryptography'], { env: { PYTHONPATH: path } })
    .status === 0

/** Where Python finds the packages; unpacked from Debian if they are not installed. Undefined if they cannot be had. */
function pythonPath(): string | undefined {
  const unpacked = at('usr/lib/python3/dist-packages')
  if (finds('')) return ''
  for (const name of PACKAGES)
    spawnSync('sh', ['-c', `apt-get -q download ${name} && dpkg -x ${name}_*.deb .`], { cwd: folder })
  return finds(unpacked) ? unpacked : undefined
}

const PYTHONPATH = pythonPath()
const skip =
  needs('openssl', 'zip').skip ||
  (PYTHONPATH === undefined && 'cbor2 is not available here: the program of the docs was NOT tested')

test(
  'the programs of others verify a COSE receipt and an in-toto statement of a kit with 10,000 files',
  { skip },
  async () => {
    await using service = await testService()
    const owner = await workspaceClient(service)
    const id = await owner.submission()
    const names = Array.from({ length: 10_000 }, (_, index) => `file-${index}.txt`)
    for (const name of names) writeFileSync(at(name), name)
    execFileSync('zip', ['-q', '-0', '-@', 'files.zip'], { cwd: folder, input: names.join('\n') })
    await owner.upload(id, form({ 'files.zip': readFileSync(at('files.zip')) }))
    const kitId = String((await owner.ended(id))['kit_id'])

    const cose = await owner.get(`/v1/kits/${kitId}/export/cose`)
    const leaf = Buffer.from(String(cose.headers.get('kitseal-log-leaf')).replaceAll(':', ''), 'base64')
    const policy = await (await fetch(`${service.base}/log/policy`)).text()
    writeFileSync(at('verify.py'), /```python\n(.*?)```/s.exec(page)?.[1] ?? '')
    const verify = (entry: Uint8Array) => {
      writeFileSync(at('leaf'), entry)
      writeFileSync(at('cose'), cose.bytes)
      const args = ['verify.py', 'cose', 'leaf', policy.split(' ')[1] ?? '']
      return spawnSync('/usr/bin/python3', args, { cwd: folder, encoding: 'utf8', env: { PYTHONPATH } })
    }
    assert.match(verify(leaf).stdout, /^in the log, at \d+ of \d+\n$/)
    assert.match(verify(Buffer.concat([leaf, Buffer.of(10)])).stderr, /InvalidSignature/)

    const { json: envelope } = await owner.get(`/v1/kits/${kitId}/export/in-toto`)
    const payload = Buffer.from(String(envelope['payload']), 'base64')
    assert.ok(JSON.parse(payload.toString()).subject.length > 10_000)
    const { keys } = (await (await fetch(`${service.base}/.well-known/jwks.json`)).json()) as {
      keys: object[]
    }
    const key = createPublicKey({ key: keys[0] as never, format: 'jwk' })
    writeFileSync(at('key.pem'), key.export({ type: 'spki', format: 'pem' }))
    const [signature] = envelope['signatures'] as { readonly sig: string }[]
    writeFileSync(at('signature'), Buffer.from(signature?.sig ?? '', 'base64'))
    const openssl = (content: Buffer) => {
      writeFileSync(
        at('signed'),
        Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${content.length} `), content]),
      )
      const args = 'pkeyutl -verify -pubin -inkey key.pem -rawin -in signed -sigfile signature'
      return spawnSync('openssl', args.split(' '), { cwd: folder, encoding: 'utf8' }).status
    }
    assert.equal(openssl(payload), 0)
    assert.notEqual(openssl(Buffer.concat([payload, Buffer.of(10)])), 0)

    const { json: oscal, bytes } = await owner.get(`/v1/kits/${kitId}/export/oscal`)
    const { 'back-matter': backMatter } = oscal['assessment-results'] as never as {
      'back-matter': { resources: readonly unknown[] }
    }
    assert.ok(backMatter.resources.length > 10_000)
    assert.ok(bytes.length < 10_000_000)
  },
)
