import accessReview from '../profiles/access-review.json' with { type: 'json' }
import anyEvidence from '../profiles/default.json' with { type: 'json' }
import iso27001 from '../profiles/iso-27001-annex-a.json' with { type: 'json' }
import soc2 from '../profiles/soc-2-common-criteria.json' with { type: 'json' }
import vendorReview from '../profiles/vendor-security-review.json' with { type: 'json' }
import { parseProfile, type Profile } from '../src/profile/profile.ts'

/** The profiles that ship with the service, by name. */
export function loadProfiles(): ReadonlyMap<string, Profile> {
  const profiles = [accessReview, anyEvidence, iso27001, soc2, vendorReview].map((document) => {
    const parsed = parseProfile(Buffer.from(JSON.stringify(document)))
    if (parsed.ok) return parsed.value
    throw new Error(`the profile ${document.profile} is not valid: ${parsed.problems.join('; ')}`)
  })
  return new Map(profiles.map((profile) => [profile.profile, profile]))
}
