import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  base64url,
  canonicalJson,
  canonicalReceiptSha256,
  leafBytes,
  LOG_PROOF_PATH,
  receiptLeaf,
  signedBytes,
  utf8,
  vkey,
} from '@kitseal/kit'
import { nodeHost } from '@kitseal/kit/node'
import { keySetOf, makeKit, testSigner, writeFolder } from '../../kit/test/make-kit.ts'
import { proofOf, testLogKey, testWitness } from '../../kit/test/make-log.ts'
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

/** Creates kit.zip, the same kit as a folder and with a log proof, the issuer's jwks.json and policy, and a forged kit. */
async function prepare(folder: string): Promise<void> {
  const { zip, contents } = await makeKit({ 'report.txt': 'all is well\n', 'notes/a.txt': 'a\n' })
  writeFileSync(join(folder, 'kit.zip'), zip)
  writeFolder(join(folder, 'unpacked'), contents)
  const keys = { ...keySetOf(testSigner(), { iat: 1_700_000_000 }), revoked_keys: [] }
  writeFileSync(join(folder, 'jwks.json'), JSON.stringify(keys))
  await writeLoggedKit(folder)
  const forger = testSigner(66)
  const forged = await makeKit({ 'report.txt': 'all is bad\n' }, { signer: forger, jwks: keySetOf(forger) })
  writeFileSync(join(folder, 'forged.zip'), forged.zip)
  writeFolder(join(folder, 'loud'), await loudKit())
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'kitseal'), `#!/bin/sh\nexec ${process.execPath} ${kitseal} "$@"\n`, {
    mode: 0o755,
  })
}

/** A kit as a folder, in a log that one of two witnesses has cosigned, and policies that ask for one and for both. */
async function writeLoggedKit(folder: string): Promise<void> {
  const { sealed, contents } = await makeKit()
  const log = testLogKey('issuer.example/log')
  const witnesses = ['w1.example', 'w2.example'].map(testWitness)
  const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
  const at = { index: 5, size: 11, log, witnesses: witnesses.slice(0, 1), time: 1_772_600_768 }
  writeFolder(join(folder, 'logged'), new Map(contents).set(LOG_PROOF_PATH, proofOf(leaf, at)))
  const lines = [`log ${vkey(log.key)}`, ...witnesses.map(({ key }) => `witness ${key.name} ${vkey(key)}`)]
  for (const needed of ['any', 'all']) {
    const group = `group g ${needed} w1.example w2.example`
    writeFileSync(join(folder, `${needed}.policy`), `${[...lines, group, 'quorum g'].join('\n')}\n`)
  }
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
