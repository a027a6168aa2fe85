import type { FastifyInstance } from 'fastify'
import { type Profile, profileDocument } from '@kitseal/evidence'
import { returns } from './response-schemas.ts'

/** The evidence profiles, for the upload page. */
export function registerProfileRoutes(scope: FastifyInstance, profiles: Iterable<Profile>): void {
  const documents = Array.from(profiles, profileDocument).toSorted((a, b) => (a.profile < b.profile ? -1 : 1))
  scope.get('/profiles', { schema: returns('ProfileList') }, async () => ({ profiles: documents }))
}
