import type { Ask, Body, CallOptions } from './call.ts'

/** Checklists for evidence. */
export const profileMethods = (ask: Ask) => ({
  /** The profiles of the workspace, and those that ship with the service. */
  listProfiles: (options?: CallOptions) => ask('listProfiles', {}, options),

  getProfile: (profile: string, options?: CallOptions) => ask('getProfile', { profile }, options),

  createProfile: (body: Body<'createProfile'>, options?: CallOptions) =>
    ask('createProfile', {}, { ...options, body, idempotent: true }),

  /** Creates a new version. Submissions that exist keep theirs. */
  replaceProfile: (body: Body<'replaceProfile'>, options?: CallOptions) =>
    ask('replaceProfile', { profile: body.profile }, { ...options, body }),

  deleteProfile: (profile: string, options?: CallOptions) => ask('deleteProfile', { profile }, options),
})
