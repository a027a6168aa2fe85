// Shared test input, and external PDF tools.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { BinderFile, BinderInput } from '../src/binder-input.ts'

export const evidence = (filePath: string, mediaType = 'application/pdf', sizeBytes = 1234): BinderFile => ({
  path: filePath,
  mediaType,
  sizeBytes,
  sha256: sha256(filePath),
})

export const manyFiles = (amount: number): BinderFile[] =>
  Array.from({ length: amount }, (_, index) =>
    evidence(`data/folder ${index % 7}/Review of system ${index}.csv`, 'text/csv', index * 7919),
  )

export const binderInput = (changes: Partial<BinderInput> = {}): BinderInput => ({
  kitId: 'kit_4p7QmZ2vX9sLw0RkTyBn3A',
  jobId: 'job_8hJc1VfUe6DgNq5PiKoMzQ',
  scope: 'Vendor onboarding 2026',
  issuer: 'https://seal.example.com',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  issuedAt: '2026-11-15T03:07:50.123Z',
  receiptVersion: 'FES-1.0-preview',
  verifyUrl: 'https://seal.example.com/verify',
  files: [evidence('data/intake.json', 'application/json', 412)],
  ...changes,
})

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** Extracts the text with pdftotext. */
export const textOf = (pdf: Uint8Array): Promise<string> =>
  reading(pdf, (file) => run('pdftotext', ['-layout', file, '-']))

/** Reads the structure with its text, as a screen reader gets it. */
export const structureOf = (pdf: Uint8Array): Promise<string> =>
  reading(pdf, (file) => run('pdfinfo', ['-struct-text', file]))

/** @throws if qpdf finds problems in the file */
export const checkWithQpdf = (pdf: Uint8Array): Promise<string> =>
  reading(pdf, (file) => run('qpdf', ['--check', file]))

/** Every object of the file, as JSON. */
export const objectsOf = (pdf: Uint8Array): Promise<string> =>
  reading(pdf, (file) => run('qpdf', ['--json', file]))

async function reading(pdf: Uint8Array, read: (file: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'binder-'))
  try {
    const file = path.join(folder, 'binder.pdf')
    await writeFile(file, pdf)
    return await read(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function run(tool: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(tool, args, { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}
