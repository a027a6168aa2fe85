import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pdf } from '../../test/evidence-samples.ts'
import { examine, noticed } from '../../test/examine.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { rc4 } from './pdf-encryption.ts'
import { needs } from '../../../test/kit/needs.ts'

interface Plan {
  readonly version: number
  readonly revision: number
  readonly keyBytes: number
  /** Other entries of the dictionary. */
  readonly more: string
  /** Passwords are padded with the bytes of the standard. */
  readonly password?: string
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const md5 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('md5').update(Buffer.concat(parts)).digest()
// All bytes that Latin-1 and Windows-1252 read differently.
const OWNER = Buffer.from(Array.from({ length: 32 }, (_, index) => 0x80 + index))
const ID = Buffer.from(Array.from({ length: 16 }, (_, index) => 0x90 - index))

const literal = (bytes: Uint8Array): string =>
  `(${Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\\()]/g, String.raw`\$&`)
    .replaceAll('\r', String.raw`\r`)})`

/** A PDF with the standard security handler (ISO 32000-1, 7.6.3). */
function protectedPdf({ version, revision, keyBytes, more, password = '' }: Plan): Uint8Array {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32)
  const permissions = Buffer.from(Int32Array.of(-44).buffer)
  let key = md5(padded, OWNER, permissions, ID)
  if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key.subarray(0, keyBytes))
  key = key.subarray(0, keyBytes)
  let user: Uint8Array = revision === 2 ? rc4(key, PADDING) : rc4(key, md5(PADDING, ID))
  if (revision > 2)
    for (let round = 1; round <= 19; round++)
      user = rc4(
        key.map((byte) => byte ^ round),
        user,
      )
  const value = literal(Buffer.concat([user, Buffer.alloc(32)]).subarray(0, 32))
  const id = `[${literal(ID)}${literal(ID)}]`
  return pdf(
    `/ID${id}/Encrypt<</Filter/Standard${more}/V ${version}/R ${revision}/P -44/O${literal(OWNER)}/U${value}>>`,
  )
}

const PLANS: Readonly<Record<string, Plan>> = {
  'of version 1': { version: 1, revision: 2, keyBytes: 5, more: '' },
  'of version 1 and revision 3': { version: 1, revision: 3, keyBytes: 5, more: '' },
  'with a key of 64 bits': { version: 2, revision: 3, keyBytes: 8, more: '/Length 64' },
  'with a key of 112 bits': { version: 2, revision: 3, keyBytes: 14, more: '/Length 112' },
  'with a length in bytes': { version: 2, revision: 3, keyBytes: 16, more: '/Length 16' },
  'with a crypt filter before the length': {
    version: 4,
    revision: 4,
    keyBytes: 16,
    more: '/CF<</StdCF<</CFM/V2/AuthEvent/DocOpen/Length 5>>>>/StmF/StdCF/StrF/StdCF/Length 128',
  },
}

const folder = tempFolder()

for (const [name, plan] of Object.entries(PLANS)) {
  test(`a PDF ${name} opens without a password, and not with another one`, async () => {
    const open = protectedPdf(plan)
    assert.deepEqual(noticed(await examine({ 'a.pdf': open })), ['notice partly_examined a.pdf'])
    const locked = protectedPdf({ ...plan, password: 'secret' })
    assert.deepEqual(noticed(await examine({ 'a.pdf': locked })), ['damage encrypted_pdf a.pdf'])
  })

  // qpdf does not read a length in bytes.
  if (name !== 'with a length in bytes')
    test(`a PDF ${name} is protected in qpdf too`, needs('qpdf'), () => {
      const files = [protectedPdf(plan), protectedPdf({ ...plan, password: 'secret' })]
      // 0: a password is needed; 3: none is.
      assert.deepEqual(files.map(statusInQpdf), [3, 0])
    })
}

function statusInQpdf(bytes: Uint8Array): number | null {
  writeFileSync(join(folder, 'a.pdf'), bytes)
  return spawnSync('qpdf', ['--requires-password', join(folder, 'a.pdf')], { stdio: 'ignore' }).status
}
