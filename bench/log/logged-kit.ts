import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  addLogProof,
  leafBytes,
  LOG_PROOF_PATH,
  type LogPolicy,
  parsePolicy,
  receiptLeaf,
  type Trust,
  trustKeys,
  utf8,
  vkey,
} from '@kitseal/kit/internal'
import { nodeHost, verifierPage } from '@kitseal/kit/internal/node'
import { keySetOf, makeKit, testSigner, zipBytes } from '../../kit/test/make-kit.ts'
import { proofOf, testLogKey, testWitness } from '../../kit/test/make-log.ts'

export interface LoggedKit {
  /** With a log proof that three witnesses have cosigned. */
  readonly logged: string
  /** The same kit without it. */
  readonly plain: string
  readonly jwks: string
  readonly policyFile: string
  readonly trust: Trust
  readonly policy: LogPolicy
}

/** A small kit with the files that the service adds: the page, and a binder. */
export async function loggedKit(folder: string): Promise<LoggedKit> {
  mkdirSync(folder, { recursive: true })
  const files = {
    'review.csv': randomBytes(2000).toString('hex'),
    'binder.pdf': randomBytes(60_000).toString('latin1'),
    'START-HERE.html': Buffer.from(verifierPage()).toString(),
  }
  const { sealed, contents, zip } = await makeKit(files)
  const log = testLogKey('issuer.example/log')
  const witnesses = ['w1.example', 'w2.example', 'w3.example'].map(testWitness)
  const leaf = leafBytes(receiptLeaf(sealed.receipt, nodeHost.digest))
  const proof = proofOf(leaf, { index: 70_000, size: 100_000, log, witnesses, time: 1_772_600_768 })
  const named = witnesses.map(({ key }, at) => `witness w${at} ${vkey(key)}\n`).join('')
  const text = `log ${vkey(log.key)}\n${named}group g 2 w0 w1 w2\nquorum g\n`
  const at = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const withProof = zipBytes(
    addLogProof(sealed, proof, nodeHost),
    new Map(contents).set(LOG_PROOF_PATH, proof),
  )
  return {
    logged: at('logged.zip', withProof),
    plain: at('plain.zip', zip),
    jwks: at('jwks.json', JSON.stringify(keySetOf(testSigner()))),
    policyFile: at('issuer.policy', text),
    trust: trustKeys(keySetOf(testSigner())),
    policy: parsePolicy(utf8(text), nodeHost.digest),
  }
}
