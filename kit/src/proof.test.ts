import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeHost } from '../node/internal.ts'
import { keySetOf, makeKit, testSigner } from '../test/make-kit.ts'
import {
  type FileProof,
  hex,
  type JsonValue,
  parseStrictJson,
  proofBytes,
  proveFile,
  trustKeys,
  utf8,
  verifyFileProof,
} from './internal.ts'

const signer = testSigner()
const trusted = trustKeys(keySetOf(signer))
const shown = measure('shown\n')

function measure(text: string): { sha256: string; sizeBytes: number } {
  return { sha256: hex(nodeHost.digest(utf8(text))), sizeBytes: utf8(text).length }
}

async function proof(): Promise<FileProof> {
  const { sealed, jwks } = await makeKit({ 'shown.txt': 'shown\n', 'secret.txt': 'secret\n', 'c.txt': 'c' })
  return proveFile(sealed.manifest, sealed.receipt, jwks, 'data/shown.txt', nodeHost)!
}

const asJson = (value: unknown): JsonValue => parseStrictJson(JSON.stringify(value))

test('a proof shows that one file is in a kit without the other files', async () => {
  const made = await proof()
  const report = await verifyFileProof(asJson(made), shown, trusted, nodeHost)
  assert.equal(report.status, 'PASS', report.errors.join('\n'))
  const text = Buffer.from(proofBytes(made)).toString()
  assert.ok(!text.includes('secret.txt'))
})

test('there is no proof for a file that is not in the kit', async () => {
  const { sealed, jwks } = await makeKit()
  assert.equal(proveFile(sealed.manifest, sealed.receipt, jwks, 'data/none.txt', nodeHost), undefined)
})

test('a proof does not prove the number of files: the tree size is not signed', async () => {
  const { sealed, contents, jwks } = await makeKit()
  const [{ path } = { path: '' }] = sealed.manifest.artifacts
  const first = proveFile(sealed.manifest, sealed.receipt, jwks, path, nodeHost)!
  const file = measure(Buffer.from(contents.get(path)!).toString())
  const largest = 2 ** first.audit_path.length
  for (const [treeSize, status] of [
    [first.tree_size, 'PASS'],
    [largest, 'PASS'],
    [largest + 1, 'FAIL'],
  ] as const) {
    const report = await verifyFileProof(asJson({ ...first, tree_size: treeSize }), file, trusted, nodeHost)
    assert.equal(report.status, status)
  }
  assert.notEqual(first.tree_size, largest)
})
