import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Db } from '../database/schema.ts'
import type { Unit } from '../database/unit.ts'
import { type WorkspaceCaller, workspaceOf } from '../http/caller.ts'
import { ListOf, listResponse } from '../http/page-query.ts'
import { answer } from '../http/resource.ts'
import { route, type Service } from '../http/route.ts'
import { Count, DateTime, NullableTime } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import type { SubmissionId, WorkspaceId } from '../runtime/identifiers.ts'
import { addEvidence } from './add-evidence.ts'
import {
  type CreateContext,
  createOnce,
  createSubmission,
  type ReplacedKit,
  sendCreated,
} from './create-submission.ts'
import { queueSealing, submitted } from './seal-submission.ts'
import type { SubmissionContext } from './submission-context.ts'
import { findSubmission, type FoundSubmission, readSubmission, replacements } from './submission-queries.ts'
import { attributesOf, statedIn, SubmissionAnswer, type SubmissionView } from './submission.ts'
import { evidenceOf, sameFile } from './take-over-files.ts'

export const reissueRoute = route('reissueKit', 'POST /v1/submissions/:submission_id/reissue', {
  access: { scope: 'admin', role: 'owner' },
  status: 201,
  bodyLimit: 1024,
  path: { submission_id: Type.String({ description: 'The submission whose kit is replaced.' }) },
  summary: 'Re-issue a kit whose signing key was revoked',
  description:
    'Creates a submission with the same evidence, whose kit is signed with the current key. `reports/reissue.json` in the new kit ' +
    'names the kit it replaces. The evidence is not checked again, and no credit is charged. 409 if the key is not revoked, ' +
    'the kit was re-issued already, or its evidence was deleted.',
  once: 'A retry with the same key within 24 hours returns the first response and creates no second submission.',
  returns: SubmissionAnswer,
  codes: ['body_invalid', 'key_not_revoked', 'kit_already_reissued', 'evidence_gone', 'kit_not_found'],
  async send(ctx: SubmissionContext & Service, call, reply) {
    const caller = workspaceOf(call.caller)
    rejectMembers(call.request)
    const { submission_id } = await findSubmission(ctx, call)
    const response = await createOnce(ctx, call, { submission_id }, (unit) => {
      ctx.queue.refuseWhenFull(caller.workspaceId)
      return requestReissue(unit, ctx, submission_id, caller)
    })
    if (!response.replayed) ctx.queue.added(caller.workspaceId)
    reply.header('retry-after', ctx.queue.retryAfter(caller.workspaceId))
    return sendCreated(reply, response)
  },
})

/** The request has no parameters, so that a body is empty or `{}`. */
function rejectMembers({ body }: FastifyRequest): void {
  if (body === undefined || body === null) return
  if (typeof body !== 'object' || Array.isArray(body))
    throw new Refusal('body_not_an_object', 'The body must be empty or a JSON object.')
  const [name] = Object.keys(body)
  if (name !== undefined)
    throw new Refusal('body_invalid', `Unknown member ${JSON.stringify(name)}.`, { param: name })
}

/** Creates a submission with the same evidence, ready for a worker. It holds no credit. */
export async function requestReissue(
  unit: Unit,
  ctx: CreateContext,
  id: SubmissionId,
  caller: WorkspaceCaller,
): Promise<FoundSubmission> {
  const { db, at } = unit
  // Locked, because a concurrent request may replace the kit, and maintenance may expire it.
  await db.selectFrom('submissions').select('job_id').where('submission_id', '=', id).forUpdate().execute()
  const { view: old } = await readSubmission(db, id)
  const { label, profile, uploaded_bytes: sizeBytes } = old
  const replaced = reissuableKit(old)
  const request = { label, profile, ...attributesOf(old), provenance: statedIn(old) }
  const { view } = await createSubmission(db, ctx, request, caller, replaced)
  const { submission_id } = view
  // The new kit gets copies of the files when it is sealed. Until then the replaced one cannot be erased.
  const files = (await evidenceOf(db, id)).map(sameFile)
  const added = { files, objects: [], sizeBytes, changes: submitted(at) }
  await addEvidence(db, view, added, caller, 'form', at)
  await queueSealing(db, view)
  await unit.record('submission.sealed', submission_id, { files: files.length, bytes: sizeBytes })
  await unit.record('submission.reissued', id, { as: submission_id, kit_id: replaced.kit_id })
  return readSubmission(db, submission_id)
}

function reissuableKit(old: SubmissionView): ReplacedKit {
  const { submission_id, kit_id, key_revoked_at, replaced_by_submission_id } = old
  if (kit_id === null || key_revoked_at === null)
    throw new Refusal(
      'key_not_revoked',
      kit_id === null
        ? 'The submission has no kit.'
        : 'The key that signed this kit is not revoked, so the kit still verifies.',
    )
  if (replaced_by_submission_id !== null)
    throw new Refusal('kit_already_reissued', `The kit was re-issued by ${replaced_by_submission_id}.`)
  if (old.status === 'EXPIRED')
    throw new Refusal('evidence_gone', 'The evidence of this kit was deleted. Submit it again.')
  return { submission_id, kit_id }
}

const Revoked = Type.Object({
  kid: Type.String(),
  revoked_at: DateTime(),
  compromised_since: NullableTime(),
  kits: Count('Kits that are not re-issued yet.'),
  submissions: Type.Array(Type.String(), { description: 'Their submissions, oldest first, at most 500.' }),
})
type Revoked = Static<typeof Revoked>

export const getRevocations = route('getRevocations', 'GET /v1/revocations', {
  access: { scope: 'read', role: 'viewer' },
  summary: 'Get kits whose signing key was revoked',
  description: 'They no longer verify. Re-issue each submission.',
  returns: answer(
    'RevocationList',
    'Revoked signing keys with kits of the workspace that are not re-issued yet.',
    ListOf(Revoked),
    (revoked: readonly Revoked[]) => listResponse(revoked),
  ),
  read: ({ db, workspaceId }) => revocations(db, workspaceId),
})

/** The most submissions that one response lists. The client asks again once these are re-issued. */
const MAX_LISTED = 500

/** Revoked keys with the kits of a workspace that they signed, and that are not re-issued yet. */
async function revocations(db: Db, workspaceId: WorkspaceId): Promise<readonly Revoked[]> {
  const rows = await db
    .selectFrom('signing_keys')
    .innerJoin('kits', 'kits.public_key_kid', 'signing_keys.kid')
    .innerJoin('submissions', 'submissions.kit_id', 'kits.kit_id')
    .select(['signing_keys.kid', 'signing_keys.revoked_at', 'signing_keys.compromised_since'])
    .select('submissions.submission_id')
    .where('signing_keys.state', '=', 'revoked')
    .where('signing_keys.revoked_at', 'is not', null)
    .where('submissions.workspace_id', '=', workspaceId)
    .where('submissions.sequence', 'is not', null)
    .where('submissions.status', '=', 'ISSUED')
    .where((eb) => eb.not(eb.exists(replacements(eb).select('successor.submission_id'))))
    .orderBy('signing_keys.revoked_at', 'desc')
    .orderBy('submissions.sequence')
    .$narrowType<{ revoked_at: string }>()
    .execute()
  return [...Map.groupBy(rows, ({ kid }) => kid)].map(([kid, own]) => {
    const [{ revoked_at, compromised_since }] = own as [(typeof own)[number]]
    const submissions = own.slice(0, MAX_LISTED).map(({ submission_id }) => submission_id)
    return { kid, revoked_at, compromised_since, kits: own.length, submissions }
  })
}
