import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { publicJwk, thumbprint } from '@kitseal/kit/internal'
import type { Kysely } from 'kysely'
import { systemClock } from '../src/runtime/clock.ts'
import type { Database } from '../src/database/schema.ts'
import { transact } from '../src/database/transact.ts'
import type { WorkspaceCaller } from '../src/http/caller.ts'
import { type ApiKeyId, type JobId, type KitId, randomIdentifiers } from '../src/runtime/identifiers.ts'
import { expireKits } from '../src/maintenance/expire-kits.ts'
import { DEFAULT_PLAN } from '../src/settings/plan.ts'
import { newJob } from '../src/submissions/create-submission.ts'
import { deleteSubmission, placeHold } from '../src/submissions/hold-and-delete.ts'
import { readSubmission } from '../src/submissions/submission-queries.ts'
import { catalogOf } from './test-kits.ts'
import { memoryObjects } from './memory-objects.ts'
import { newWorkspace, unitsOn } from './new-workspace.ts'

const PAST = '2020-01-01T00:00:00.000Z'

export interface Outcomes {
  readonly held: number
  readonly erased: number
}

/** Places holds on kits while retention and an owner delete them, from two connections. Every kit is either held or erased. */
export async function raceHolds(
  [first, second]: readonly [Kysely<Database>, Kysely<Database>],
  races: number,
): Promise<Outcomes> {
  const scene = await newScene(first)
  const outcome = { held: 0, erased: 0 }
  const batch = 20
  for (let done = 0; done < races; done += batch) {
    const submissions = []
    for (let more = 0; more < batch; more += 1) submissions.push(await scene.issue())
    const holds = submissions.map(async (id, index) => {
      // Half of the holds are placed before anything else starts.
      const { view } = await readSubmission(first, id)
      const place = () =>
        unitsOn(first).write(scene.caller, 'place hold', (unit) =>
          placeHold(unit, view, 'case 7', scene.caller),
        )
      if (index % 2 === 0) await place()
      return { id, view, place }
    })
    const ready = await Promise.all(holds)
    const late = ready.filter((_, index) => index % 2 === 1)
    const results = await Promise.all([
      ...late.map(({ place }) => place().then(() => true, isRefused('evidence_gone'))),
      ...ready.map(({ view }) =>
        deleteSubmission({ ...scene.ctx, db: second, units: unitsOn(second) }, view, scene.caller).catch(
          isRefused('submission_held'),
        ),
      ),
      expireKits({ ...scene.ctx, db: second }),
    ])
    for (const [index, { id }] of ready.entries()) {
      const { view } = await readSubmission(first, id)
      const isPlaced = index % 2 === 0 || results[(index - 1) / 2] === true
      assert.equal(view.hold_reason, isPlaced ? 'case 7' : null, id)
      assert.equal(view.status, isPlaced ? 'ISSUED' : 'EXPIRED', id)
      assert.equal(view.erasure === null, isPlaced, id)
      if (isPlaced) outcome.held += 1
      else outcome.erased += 1
    }
  }
  return outcome
}

const isRefused =
  (code: string) =>
  (error: unknown): boolean => {
    assert.equal((error as { readonly code?: string }).code, code, String(error))
    return false
  }

/** A workspace whose kits are past their retention, and kits without anything but a manifest. */
async function newScene(db: Kysely<Database>) {
  const identifiers = randomIdentifiers()
  const workspaceId = await newWorkspace(db)
  await db.updateTable('plans').set({ retention_days: 1 }).execute()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const x = publicKey.export({ format: 'jwk' }).x ?? ''
  const kid = thumbprint(x)
  const key = { kid, x, provider: 'file', reference: 'none', state: 'active' } as const
  await db
    .insertInto('signing_keys')
    .values({ ...key, created_at: PAST, retired_at: null, revoked_at: null })
    .execute()
  const signer = { kid, x, sign: async (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)) }
  const objects = memoryObjects()
  const manifest = Buffer.from('{}')
  const sha256 = createHash('sha256').update(manifest).digest('hex')
  const { object } = await objects.put(manifest)
  const entry = { path: 'manifest.json', sha256, sizeBytes: 2, crc32: 0, object, offset: 0 }
  const ctx = {
    objects,
    kits: catalogOf({ db, objects }),
    clock: systemClock,
    log: { error: assert.fail },
    signingKeys: {
      startSigning: async () => ({
        signer,
        jwks: { keys: [publicJwk(x)] },
        issuedAt: new Date().toISOString(),
      }),
    },
  }
  const actor = { is: 'key', keyId: 'key_a' as ApiKeyId } as const
  const caller: WorkspaceCaller = { is: 'workspace', workspaceId, actor, plan: DEFAULT_PLAN }

  let sequence = 1_000_000
  const issue = () =>
    transact(db, async (trx) => {
      const [jobId, kitId, id] = [identifiers.jobId(), identifiers.kitId(), identifiers.submissionId()]
      sequence += 1
      const job = newJob(
        { clock: systemClock, identifiers },
        { tenant_id: workspaceId, scope_label: 'x', status: 'SUBMITTED', workspace_id: workspaceId },
        null,
      )
      const times = { job_created_at: PAST, job_updated_at: PAST, created_at: PAST, updated_at: PAST }
      const ids = { job_id: jobId, submission_id: id }
      await trx
        .insertInto('submissions')
        .values({ ...job, ...ids, ...times, sequence, uploads: 1 })
        .execute()
      await move(trx, jobId, 'PASS', null)
      await trx
        .insertInto('kits')
        .values({
          kit_id: kitId,
          job_id: jobId,
          issued_at: PAST,
          receipt_version: 'x',
          manifest_sha256: sha256,
          public_key_kid: kid,
          downloads: '{}',
          entries: JSON.stringify([entry]),
          zip_sha256: null,
          receipt: JSON.stringify({ issuer: 'https://issuer.example', job_id: jobId, public_key_kid: kid }),
          log_proof: 'proof',
        })
        .execute()
      await move(trx, jobId, 'ISSUED', kitId)
      return id
    })
  return { ctx, caller, issue }
}

async function move(trx: Kysely<Database>, jobId: JobId, status: 'PASS' | 'ISSUED', kitId: KitId | null) {
  await trx.updateTable('submissions').set({ status, kit_id: kitId }).where('job_id', '=', jobId).execute()
}
