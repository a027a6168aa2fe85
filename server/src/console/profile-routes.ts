import type { FastifyInstance } from 'fastify'
import type { Profile, ProfileItem } from '@kitseal/evidence'
import { type ConsoleResponse, returns } from './response-schemas.ts'

/** The evidence profiles, for the upload page. */
export function registerProfileRoutes(scope: FastifyInstance, profiles: Iterable<Profile>): void {
  const documents = Array.from(profiles, documentOf).toSorted((a, b) => (a.profile < b.profile ? -1 : 1))
  scope.get('/profiles', { schema: returns('ProfileList') }, async () => ({ profiles: documents }))
}

/** See spec/schemas/profile.json. */
const documentOf = ({ items, ...named }: Profile): ConsoleResponse<'Profile'> => ({
  ...named,
  items: items.map(itemDocument),
})

const itemDocument = ({ id, title, paths, types, minFiles, maxAgeDays }: ProfileItem) => ({
  id,
  title,
  paths,
  ...(types.length === 0 ? {} : { types }),
  min_files: minFiles,
  ...(maxAgeDays === undefined ? {} : { max_age_days: maxAgeDays }),
})
