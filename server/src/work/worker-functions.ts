import type { Jwks } from '@kitseal/kit'
import { clamavScanner } from '@kitseal/examiner/node'
import { type FilesToSeal, sealFiles, verifyAsServed } from '../kits/seal-kit.ts'
import { archiveSha256, type KitLayout } from '../kits/kit-zip.ts'
import { type KitToVerify, verifyUploadedKit } from '../kits/verify-uploaded-kit.ts'
import { openObjects } from '../objects/open-objects.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { Ask, WorkerPool } from '../runtime/worker-pool.ts'
import type { Config } from '../settings/config.ts'
import { examineEvidence, type ExamineInput } from '../submissions/examine-evidence.ts'

export type WorkerConfig = Pick<Config, 'objects' | 'clamav'>

/** What workers do for the service: everything that takes long, or that hostile files may crash. */
export function workerFunctions(
  { clamav, ...config }: WorkerConfig,
  objects: ObjectStore = openObjects(config.objects),
) {
  const scanner = clamav === undefined ? undefined : clamavScanner({ address: clamav })
  return {
    examine: (input: ExamineInput) => examineEvidence({ objects, scanner }, input),
    seal: (input: FilesToSeal, ask: Ask) =>
      sealFiles(objects, input, (bytes) => ask(bytes) as Promise<Uint8Array>),
    verifyStored: ({ kit, keys }: { readonly kit: KitLayout; readonly keys: Jwks }) =>
      verifyAsServed(objects, kit, keys),
    verifyUploaded: (kit: KitToVerify) => verifyUploadedKit(kit),
    hashArchive: (kit: KitLayout) => archiveSha256(kit, objects),
  }
}

export type WorkerFunctions = ReturnType<typeof workerFunctions>
export type ServicePool = WorkerPool<WorkerFunctions>
