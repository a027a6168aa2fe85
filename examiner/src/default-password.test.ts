import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compound, vbaBin } from '../test/compound-samples.ts'
import {
  agileEncrypted,
  encryptedWorkbook,
  standardEncrypted,
  xorWorkbook,
} from '../test/encrypted-samples.ts'
import { type Contents, openXml } from '../test/evidence-samples.ts'
import { codes, examine } from '../test/examine.ts'

const found = async (files: Contents): Promise<readonly string[]> => codes(await examine(files))
const DEFAULT = 'VelvetSweatshop'

test('a workbook that opens with the default password of Excel is examined, with another it is damage', async () => {
  const padding = Buffer.from(
    Array.from({ length: 9000 }, (_, index) => Math.imul(index + 7, 2654435761) >>> 24),
  )
  const sound = openXml('xlsx', { 'xl/media/a.dat': padding })
  const macros = openXml('xlsx', { 'xl/media/a.dat': padding, 'xl/vbaProject.bin': vbaBin() })
  for (const encrypt of [agileEncrypted, standardEncrypted])
    assert.deepEqual(
      await found({
        'a.xlsx': encrypt(sound, DEFAULT),
        'b.xlsx': encrypt(macros, DEFAULT),
        'c.xlsx': encrypt(macros, 'another'),
      }),
      ['macros b.xlsx/content/xl/vbaProject.bin', 'encrypted_office c.xlsx'],
      encrypt.name,
    )
})

const record = (type: number, ...data: readonly number[]): Buffer =>
  Buffer.from([type & 255, type >> 8, data.length & 255, data.length >> 8, ...data])

const workbook = (kind: number): readonly Buffer[] => [
  record(0x809, 0, 6),
  record(0x22, ...Buffer.alloc(2000)),
  record(0x85, 0, 0, 0, 0, 0, kind, 1, 0, 65),
  record(0x0a),
]

test('a workbook of Excel 97 that opens with the default password is examined', async () => {
  for (const kind of ['basic', 'api'] as const)
    assert.deepEqual(
      await found({
        'a.xls': encryptedWorkbook(workbook(0), DEFAULT, kind),
        'b.xls': encryptedWorkbook(workbook(1), DEFAULT, kind),
        'c.xls': encryptedWorkbook(workbook(1), 'another', kind),
      }),
      ['macros b.xls', 'encrypted_office c.xls'],
      kind,
    )
})

test('a workbook that is obfuscated with the default password is examined, with another it is damage', async () => {
  const locked = (kind: number, key: string): Uint8Array => xorWorkbook(workbook(kind), DEFAULT, key)
  assert.deepEqual(
    await found({
      'a.xls': locked(0, '59b30a9a'),
      'b.xls': locked(1, '59b30a9a'),
      'c.xls': locked(1, '4a511acc'),
      'd.xls': xorWorkbook(workbook(1), DEFAULT, '59b30a9a', false),
    }),
    ['macros b.xls', 'encrypted_office c.xls', 'macros d.xls'],
  )
})

test('a workbook with thousands of passwords is decrypted once', async () => {
  const filePass = Buffer.concat([record(0x2f, 1, 0, 1, 0, 1, 0, ...Buffer.alloc(48)), record(0x22)])
  const records = Buffer.concat([record(0x809, 0, 6), ...Array.from({ length: 60_000 }, () => filePass)])
  const started = performance.now()
  assert.deepEqual(await found({ 'a.xls': compound({ Workbook: records }) }), ['encrypted_office a.xls'])
  assert.ok(performance.now() - started < 3000)
})
