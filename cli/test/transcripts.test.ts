import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { base64url, canonicalJson, canonicalReceiptSha256, signedBytes, utf8 } from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { keySetOf, makeKit, testSigner, writeFolder } from '../../kit/test/make-kit.ts'
import { exchangesOf, isAsShown, replay } from '../../test/docs/transcript.ts'

const transcripts = fileURLToPath(new URL('./transcripts/', import.meta.url))
const kitseal = fileURLToPath(new URL('../bin/kitseal.cjs', import.meta.url))

for (const name of readdirSync(transcripts)) {
  test(`transcript ${name} matches`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kitseal-transcript-'))
    try {
      await prepare(folder)
      const shown = exchangesOf(readFileSync(join(transcripts, name), 'utf8'))
      assert.ok(shown.length > 0)
      const printed = await replay(shown, { folder, env: environment(folder) })
      for (const [index, { command, output }] of shown.entries()) {
        const actual = printed[index]?.output ?? ''
        if (!isAsShown(output, actual)) assert.equal(actual, output, `$ ${command}`)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

/** Creates kit.zip, the same kit as a folder, the issuer's jwks.json, and a forged kit. */
async function prepare(folder: string): Promise<void> {
  const { zip, contents } = await makeKit({ 'report.txt': 'all is well\n', 'notes/a.txt': 'a\n' })
  writeFileSync(join(folder, 'kit.zip'), zip)
  writeFolder(join(folder, 'unpacked'), contents)
  const keys = { ...keySetOf(testSigner(), { iat: 1_700_000_000 }), revoked_keys: [] }
  writeFileSync(join(folder, 'jwks.json'), JSON.stringify(keys))
  const forger = testSigner(66)
  const forged = await makeKit({ 'report.txt': 'all is bad\n' }, { signer: forger, jwks: keySetOf(forger) })
  writeFileSync(join(folder, 'forged.zip'), forged.zip)
  writeFolder(join(folder, 'loud'), await loudKit())
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'kitseal'), `#!/bin/sh\nexec ${process.execPath} ${kitseal} "$@"\n`, {
    mode: 0o755,
  })
}

/** A kit whose receipt contains terminal escapes and shell code. */
async function loudKit(): Promise<ReadonlyMap<string, Uint8Array>> {
  const { sealed, contents } = await makeKit()
  const scope = 'a\u001b[2Jb\u202ec'
  const issuer = "https://x.example/'; rm -rf /; '"
  const unsigned = { ...sealed.receipt, scope, issuer }
  const hashed = { ...unsigned, canonical_receipt_sha256: canonicalReceiptSha256(unsigned, nodeHost.digest) }
  const signature = await testSigner().sign(signedBytes(hashed))
  const receipt = { ...hashed, signature: base64url(signature) }
  return new Map(contents)
    .set('receipt.json', utf8(canonicalJson(receipt)))
    .set('receipt.canonical.json', signedBytes(receipt))
    .set('receipt.sig', signature)
}

function environment(folder: string): Record<string, string> {
  const path = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  return { PATH: path, HOME: folder, LC_ALL: 'C.UTF-8', XDG_CACHE_HOME: join(tmpdir(), 'kitseal-test-cache') }
}
