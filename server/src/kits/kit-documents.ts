import { createHash } from 'node:crypto'
import {
  ALL_FILES,
  ENVELOPE,
  parseProvenance,
  parseStrictJson,
  PROVENANCE_PATH,
  type ProvenanceEntry,
} from '@kitseal/kit/internal'
import type { Origin } from '../access/supplier.ts'
import { INTAKE_REPORT_PATH, PROGRAM_REPORT_PATH, REQUEST_REPORT_PATH } from './intake-record.ts'
import { type KitFile, readFile } from './kit-files.ts'
import type { KitRecord } from './kit-queries.ts'
import { collectChunks } from '../objects/block-reads.ts'
import { type ObjectStore, ObjectUnreadable } from '../objects/object-store.ts'
import { Refusal } from '../refusals.ts'

type Objects = Pick<ObjectStore, 'read'>

/** Reads a small file of a kit and checks its hash. */
export async function readDocument(objects: Objects, kit: KitRecord, path: string): Promise<Buffer> {
  if (kit.expired !== undefined) return readExpired(kit, path)
  const entry = kit.entries.find((each) => each.path === path)
  if (entry === undefined) throw new Error(`kit ${kit.kitId} has no ${path}`)
  return readEntry(objects, entry)
}

export async function readEntry(objects: Objects, entry: KitFile): Promise<Buffer> {
  const content = await collectChunks(readFile(objects, entry), entry.sizeBytes)
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (createHash('sha256').update(bytes).digest('hex') !== entry.sha256)
    throw new ObjectUnreadable(entry.sha256, 'is damaged')
  return bytes
}

/** The files that are kept after retention ends. */
export const KEPT_AFTER_RETENTION: ReadonlySet<string> = new Set([ENVELOPE.manifest, ENVELOPE.receipt])

function readExpired(kit: KitRecord, path: string): Buffer {
  if (path === ENVELOPE.receipt) return Buffer.from(kit.receipt)
  if (path === ENVELOPE.manifest && kit.expired !== undefined) return Buffer.from(kit.expired.manifest)
  throw kitExpired(kit)
}

export function kitExpired(kit: KitRecord): Refusal {
  const deleted = kit.expired?.at ?? ''
  return new Refusal(
    'kit_expired',
    `The files of this kit were deleted on ${deleted.slice(0, 10)}. Its manifest and receipt are still available.`,
    { args: { deleted } },
  )
}

/** Supplier and requester in the intake report of a kit. No supplier if it names none, or if the files are deleted. */
export async function sealedOrigin(objects: Objects, kit: KitRecord): Promise<Origin> {
  if (kit.expired !== undefined) return { supplier: null }
  const report = await readDocument(objects, kit, INTAKE_REPORT_PATH)
  const { supplier = null, requested_by } = JSON.parse(report.toString()) as Partial<Origin>
  return { supplier, ...(requested_by === undefined ? {} : { requested_by }) }
}

/** The entries of the provenance report of a kit. None if it has no report, or if the files are deleted. */
export async function sealedProvenance(objects: Objects, kit: KitRecord) {
  const hasReport = kit.expired === undefined && kit.entries.some(({ path }) => path === PROVENANCE_PATH)
  if (!hasReport) return []
  const parsed = parseProvenance(parseStrictJson(await readDocument(objects, kit, PROVENANCE_PATH)))
  return parsed.ok ? parsed.value.entries : []
}

/** Of some files, nothing about the others. */
export function provenanceOfSome(entries: readonly ProvenanceEntry[], chosen: ReadonlySet<string>) {
  return entries.flatMap((entry) => {
    if (entry.paths === ALL_FILES) return [entry]
    const paths = entry.paths.filter((path) => chosen.has(path))
    return paths.length === 0 ? [] : [Object.assign({}, entry, { paths })]
  })
}

const ITEM_REPORTS = [REQUEST_REPORT_PATH, PROGRAM_REPORT_PATH]

interface ReportedItem {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly files: readonly { readonly path: string }[]
}

/** The items in the report of the request or program, as sealed. Null if the kit has none, or if its files are deleted. */
export async function kitItems(objects: Objects, kit: KitRecord) {
  const path = ITEM_REPORTS.find((each) => kit.entries.some((entry) => entry.path === each))
  if (path === undefined || kit.expired !== undefined) return null
  const report = JSON.parse((await readDocument(objects, kit, path)).toString()) as {
    readonly items: readonly ReportedItem[]
  }
  return report.items.map(({ id: item_id, title, status, files }) => {
    return { item_id, title, status, files: files.map((file) => file.path) }
  })
}
