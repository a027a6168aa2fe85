import type { Profile, ProfileList, ProfileRequest } from './api-types.generated.ts'
import { call, type CallOptions } from './call.ts'
import type { Transport } from './transport.ts'

/** Checklists for evidence. */
export const profileMethods = (transport: Transport) => ({
  /** The profiles of the workspace, and those that ship with the service. */
  listProfiles: async (options?: CallOptions): Promise<ProfileList> =>
    (await call(transport, 'listProfiles', {}, options)).data,

  getProfile: async (profile: string, options?: CallOptions): Promise<Profile> =>
    (await call(transport, 'getProfile', { profile }, options)).data,

  createProfile: async (body: ProfileRequest, options?: CallOptions): Promise<Profile> =>
    (await call(transport, 'createProfile', {}, { ...options, body, idempotent: true })).data,

  /** Creates a new version. Submissions that exist keep theirs. */
  replaceProfile: async (body: ProfileRequest, options?: CallOptions): Promise<Profile> =>
    (await call(transport, 'replaceProfile', { profile: body.profile }, { ...options, body })).data,

  deleteProfile: async (profile: string, options?: CallOptions): Promise<void> => {
    await call(transport, 'deleteProfile', { profile }, options)
  },
})
