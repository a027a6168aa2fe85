import type { ObjectStore } from '../objects/object-store.ts'
import type { Origin } from '../access/supplier.ts'
import { INTAKE_REPORT_PATH } from './intake-record.ts'
import { readDocument } from './kit-documents.ts'
import type { KitRecord } from './kit-queries.ts'

/** Supplier and requester in the intake report of a kit. No supplier if it names none, or if the files are deleted. */
export async function sealedOrigin(objects: Pick<ObjectStore, 'read'>, kit: KitRecord): Promise<Origin> {
  if (kit.expired !== undefined) return { supplier: null }
  const report = await readDocument(objects, kit, INTAKE_REPORT_PATH)
  const { supplier = null, requested_by } = JSON.parse(report.toString()) as Partial<Origin>
  return { supplier, ...(requested_by === undefined ? {} : { requested_by }) }
}
