import type { ObjectStore } from '../objects/object-store.ts'
import type { Supplier } from '../workspaces/supplier.ts'
import { INTAKE_REPORT_PATH } from './intake-record.ts'
import { readDocument } from './kit-documents.ts'
import type { KitRecord } from './kit-queries.ts'

/** The supplier in the intake report of a kit. Null if it has none, or if the files are deleted. */
export async function sealedSupplier(
  objects: Pick<ObjectStore, 'read'>,
  kit: KitRecord,
): Promise<Supplier | null> {
  if (kit.expired !== undefined) return null
  const report = await readDocument(objects, kit, INTAKE_REPORT_PATH)
  const { supplier } = JSON.parse(report.toString()) as { supplier?: Supplier | null }
  return supplier ?? null
}
