import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { parseProfile, type Profile } from '../src/profile/profile.ts'

/** The folder of the profiles that ship with the service. */
export const PROFILES_FOLDER = fileURLToPath(new URL('../profiles', import.meta.url))

/** Some profiles are invalid; `problems` lists all problems of all of them. */
export class ProfilesUnreadable extends Error {
  override readonly name = 'ProfilesUnreadable'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`invalid profiles: ${problems.join('; ')}`)
    this.problems = problems
  }
}

/** Loads all profiles of a folder, by name. */
export function loadProfiles(folder = PROFILES_FOLDER): ReadonlyMap<string, Profile> {
  const profiles = new Map<string, Profile>()
  const problems: string[] = []
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted()) {
    const parsed = parseProfile(readFileSync(join(folder, file)))
    if (!parsed.ok) problems.push(...parsed.problems.map((problem) => `${file}: ${problem}`))
    else if (`${parsed.value.profile}.json` !== file)
      problems.push(`${file}: the file name must match "profile"`)
    else profiles.set(parsed.value.profile, parsed.value)
  }
  if (!profiles.has('default') && problems.length === 0) problems.push('default.json is missing')
  if (problems.length > 0) throw new ProfilesUnreadable(problems)
  return profiles
}
