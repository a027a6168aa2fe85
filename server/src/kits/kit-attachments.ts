import { ENVELOPE } from '@kitseal/kit'
import type { Attachment } from '../deliveries/mail-server.ts'
import { collectChunks } from '../objects/chunks.ts'
import type { KitId } from '../runtime/identifiers.ts'
import type { Context } from './context.ts'
import { readDocument } from './kit-documents.ts'
import { kitZip } from './kit-zip.ts'

/** Mail servers refuse large mails. */
const MAX_ZIP_BYTES = 5 * 1024 * 1024

/** The files of a kit that a mail carries: its receipt, and kit.zip if it is small. None if its evidence is deleted. */
export const kitAttachments =
  ({ kits, objects }: Pick<Context, 'kits' | 'objects'>) =>
  async (kitId: KitId): Promise<readonly Attachment[]> => {
    const kit = await kits.find(kitId)
    if (kit === undefined || kit.expired !== undefined) return []
    const receipt = { filename: 'receipt.json', content: await readDocument(objects, kit, ENVELOPE.receipt) }
    const zip = kitZip(kit, objects)
    if (zip.sizeBytes > MAX_ZIP_BYTES) return [receipt]
    const content = await collectChunks(zip.readChecked(0, zip.sizeBytes), zip.sizeBytes)
    return [receipt, { filename: `${kitId}.zip`, content: Buffer.from(content) }]
  }
