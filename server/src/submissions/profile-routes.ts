import { profileDocument } from '@kitseal/examiner'
import { BOUNDARY } from '@kitseal/kit/internal'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { timestamp } from '../runtime/clock.ts'
import type { ProfilesTable } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { workspaceOf } from '../http/caller.ts'
import { listResponse } from '../http/page-query.ts'
import { createOnce } from '../http/idempotency.ts'
import type { Profile, ProfileList, ProfileRequest } from './profile-schemas.ts'
import { deleted, errors, idempotencyHeader, ref } from '../http/schema-parts.ts'
import { Refusal } from '../refusals.ts'
import { createProfile, deleteProfile, notFound, replaceProfile } from './change-profile.ts'
import { currentProfile, currentProfiles, profileOf } from './find-profile.ts'
import type { SubmissionContext } from './submission-context.ts'

/** 500 items with long descriptions. */
const BODY_LIMIT_BYTES = 2 * 1024 * 1024
const Params = Type.Object({ profile: Type.String({ description: 'The name of the profile.' }) })
type OfProfile = { Params: { readonly profile: string } }
type Shown = Omit<Profile, 'boundary'>

/** GET, POST, PUT and DELETE /v1/profiles. */
export function registerProfileRoutes(app: FastifyInstance, ctx: SubmissionContext): void {
  const { db, clock, profiles: shipped } = ctx
  const now = (): string => timestamp(clock.now())
  const ofService = Array.from(shipped.values(), (profile): Shown => {
    return { ...profileDocument(profile), source: 'service', version: null, updated_at: null }
  })

  app.route({
    method: 'GET',
    url: '/v1/profiles',
    schema: {
      operationId: 'listProfiles',
      summary: 'List profiles',
      description: 'Those of the workspace, and those that ship with the service.',
      response: { 200: ref('ProfileList'), ...errors(401, 403, 429) },
    },
    handler: async (request): Promise<ProfileList> => {
      const own = (await currentProfiles(db, workspaceOf(request.caller).workspaceId)).map(shown)
      const names = new Set(own.map(({ profile }) => profile))
      const all = [...own, ...ofService.filter(({ profile }) => !names.has(profile))]
      return listResponse(all.toSorted(byTitle))
    },
  })

  app.route<OfProfile>({
    method: 'GET',
    url: '/v1/profiles/:profile',
    schema: {
      operationId: 'getProfile',
      summary: 'Get a profile',
      description: 'The newest version of the checklist, with every item.',
      params: Params,
      response: { 200: ref('Profile'), ...errors(401, 403, 404, 429) },
    },
    handler: async (request): Promise<Profile> => {
      const { profile: name } = request.params
      const own = await currentProfile(db, workspaceOf(request.caller).workspaceId, name)
      const found = own === undefined ? ofService.find(({ profile }) => profile === name) : shown(own)
      if (found === undefined) throw notFound()
      return { ...found, boundary: BOUNDARY }
    },
  })

  app.route<{ Body: ProfileRequest }>({
    method: 'POST',
    url: '/v1/profiles',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'createProfile',
      summary: 'Create a profile',
      description: 'Submissions of the workspace can use it at once.',
      headers: idempotencyHeader('A retry with the same key within 24 hours returns the first response.'),
      body: ref('ProfileRequest'),
      response: { 201: ref('Profile'), ...errors(400, 401, 403, 409, 413, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      return createOnce(
        { db, clock },
        request,
        reply,
        async (trx) => {
          const row = await createProfile(trx, shipped, request.body, caller, now())
          return { stored: { ...shown(row), boundary: BOUNDARY } }
        },
        ({ profile }) => `/v1/profiles/${profile}`,
      )
    },
  })

  app.route<OfProfile & { Body: ProfileRequest }>({
    method: 'PUT',
    url: '/v1/profiles/:profile',
    bodyLimit: BODY_LIMIT_BYTES,
    schema: {
      operationId: 'replaceProfile',
      summary: 'Change a profile',
      description:
        'Creates a new version. Submissions that exist keep the version that they were created with.',
      params: Params,
      body: ref('ProfileRequest'),
      response: { 200: ref('Profile'), ...errors(400, 401, 403, 404, 409, 413, 415, 429) },
    },
    handler: async (request): Promise<Profile> => {
      const caller = workspaceOf(request.caller)
      if (request.body.profile !== request.params.profile)
        throw new Refusal(
          'body_invalid',
          'profile must be the name in the path. A profile cannot be renamed.',
          { param: 'profile' },
        )
      const row = await transact(db, (trx) => replaceProfile(trx, shipped, request.body, caller, now()))
      return { ...shown(row), boundary: BOUNDARY }
    },
  })

  app.route<OfProfile>({
    method: 'DELETE',
    url: '/v1/profiles/:profile',
    schema: {
      operationId: 'deleteProfile',
      summary: 'Delete a profile',
      description: 'New submissions can no longer use it. Those that exist keep their version.',
      params: Params,
      response: { ...deleted, ...errors(401, 403, 404, 409, 429) },
    },
    handler: async (request, reply) => {
      const caller = workspaceOf(request.caller)
      const { profile } = request.params
      await transact(db, (trx) => deleteProfile(trx, shipped, profile, caller, now()))
      return reply.code(204).send()
    },
  })
}

const shown = (row: ProfilesTable): Shown => ({
  ...profileDocument(profileOf(row)),
  source: 'workspace',
  version: row.version,
  updated_at: row.created_at,
})

const byTitle = (a: Shown, b: Shown): number =>
  Number(b.profile === 'default') - Number(a.profile === 'default') || a.title.localeCompare(b.title, 'en')
