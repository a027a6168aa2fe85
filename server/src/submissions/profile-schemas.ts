import { type Static, Type } from 'typebox'
import { ListOf } from '../http/page-query.ts'
import {
  Boundary,
  Closed,
  Named,
  NamedBody,
  NullableInteger,
  NullableTime,
  LABEL,
  OneOf,
} from '../http/schema-parts.ts'

/** Checklists for evidence. The same rules as spec/schemas/profile.json. */

const NAME = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'
const Name = (description: string) => Type.String({ pattern: NAME, description })
const Texts = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 50, description })

const ITEM = {
  id: Name('No two items of a profile have the same.'),
  title: Type.String({ ...LABEL }),
  description: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'What to supply.' })),
  example: Type.Optional(Type.String({ ...LABEL, description: 'The name of a file that would match.' })),
  controls: Type.Optional(Texts('References to controls of a standard, such as `CC6.1`.')),
  paths: Type.Optional(
    Texts(
      'Patterns of file names. A file in a folder with the ID of the item always counts, so patterns are optional.',
    ),
  ),
  types: Type.Optional(Texts('Types that count, such as `pdf`. Any, if absent.')),
  min_files: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 10_000, default: 1, description: '0 makes the item optional.' }),
  ),
  max_age_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 36_500,
      description: 'Counted from the last date YYYY-MM-DD in the path of a file.',
    }),
  ),
}

const NAMED = {
  profile: Name('The name that submissions use.'),
  title: Type.String({ ...LABEL }),
  description: Type.String({ minLength: 1, maxLength: 2000 }),
}

const POLICY = {
  evidence_policy: Type.Optional(
    OneOf(['open', 'examined_only'], 'With `examined_only`, files that are not examined are not accepted.'),
  ),
  finding_classes: Type.Optional(
    Type.Record(Type.String(), OneOf(['danger', 'damage', 'notice']), {
      description: 'Stricter classes of findings, by code.',
    }),
  ),
}

export const ProfileRequest = NamedBody('ProfileRequest', 'A new profile, or a new version of one.', {
  ...NAMED,
  ...POLICY,
  items: Type.Array(Closed(ITEM), { maxItems: 500 }),
})

const PROFILE = {
  ...NAMED,
  ...POLICY,
  items: Type.Array(Type.Object(ITEM)),
  source: OneOf(['service', 'workspace'], 'Profiles of the service are read-only.'),
  version: NullableInteger('Counted from 1. Null for profiles of the service.'),
  updated_at: NullableTime('Null for profiles of the service.'),
}

export const Profile = Named('Profile', 'A checklist of what evidence for one purpose must contain.', {
  ...PROFILE,
  boundary: Boundary(),
})

export const ProfileList = Named(
  'ProfileList',
  'Sorted by title, `default` first.',
  ListOf(Type.Object(PROFILE)),
)

export type ProfileRequest = Static<typeof ProfileRequest>
export type Profile = Static<typeof Profile>
export type ProfileList = Static<typeof ProfileList>
