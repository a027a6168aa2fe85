import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  ENVELOPE,
  ENVELOPE_LIMIT_BYTES,
  parseReceipt,
  parseStrictJson,
  receiptLeaf,
} from '@kitseal/kit/internal'
import { nodeHost, openKit, readSmallFile } from '@kitseal/kit/internal/node'
import { InputError, readOrFail } from '../input-error.ts'

const LIST = { what: 'a list of receipts', limitMiB: 256 }
const RECEIPT = { what: 'a receipt', limitMiB: 1 }

/** The SHA-256 of receipts in hex: from a file with one per line, or from a folder with receipts and kits. */
export async function readReceiptList(path: string): Promise<ReadonlySet<string>> {
  const isFolder = await readOrFail(path, () => statSync(path).isDirectory())
  if (isFolder) return readFolder(path)
  const text = await readOrFail(path, () => Buffer.from(readSmallFile(path, LIST)).toString())
  const hashes = new Set<string>()
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    // A name may follow, as sha256sum writes it.
    const [, hash] = /^([0-9a-f]{64})(?:\s|$)/.exec(line) ?? []
    if (hash === undefined)
      throw new InputError(`line ${at + 1} of ${path} is not a SHA-256 in lower-case hex`)
    hashes.add(hash)
  }
  return hashes
}

async function readFolder(folder: string): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>()
  const names = await readOrFail(folder, () => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  for (const name of names) {
    const path = join(folder, name)
    const hash = name.endsWith('.json')
      ? await readOrFail(path, () => hashOf(readSmallFile(path, RECEIPT)))
      : name.endsWith('.zip')
        ? await readOrFail(path, () => hashInKit(path))
        : undefined
    if (hash !== undefined) hashes.add(hash)
  }
  if (hashes.size === 0) throw new InputError(`${folder} contains no receipt and no kit`)
  return hashes
}

async function hashInKit(path: string): Promise<string | undefined> {
  using kit = await openKit(path)
  return hashOf(await kit.read(ENVELOPE.receipt, ENVELOPE_LIMIT_BYTES.receipt))
}

/** Undefined for any other JSON file. */
function hashOf(bytes: Uint8Array): string | undefined {
  try {
    const receipt = parseReceipt(parseStrictJson(bytes))
    return receipt.ok ? receiptLeaf(receipt.value, nodeHost.digest).receipt_sha256 : undefined
  } catch {
    return undefined
  }
}
