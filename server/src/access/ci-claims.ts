import { type CiClaims, inAscii } from '@kitseal/kit/internal'
import type { JWTPayload } from 'jose'

const PLACE = /^[\w./@+:-]{1,500}$/
const NUMBER = /^\d{1,20}$/

/** The claims of GitHub and GitLab that say which run of which pipeline a token is for, in their form. The first one that has it counts. */
const CLAIMS: Readonly<
  Record<Exclude<keyof CiClaims, 'issuer'>, { readonly claims: readonly string[]; readonly form: RegExp }>
> = {
  repository: { claims: ['repository', 'project_path'], form: /^[\w.-]+(?:\/[\w.-]+){1,20}$/ },
  ref: { claims: ['ref'], form: PLACE },
  commit: { claims: ['sha'], form: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/ },
  workflow: { claims: ['workflow_ref', 'workflow', 'ci_config_ref_uri'], form: PLACE },
  run: { claims: ['run_id', 'pipeline_id'], form: NUMBER },
  attempt: { claims: ['run_attempt'], form: NUMBER },
}

/**
 * What a kit says about the token of a CI system that was verified. Nothing about a person: no actor, login or address.
 * A workspace chooses the issuers that it trusts, so a claim that is not of its form is not sealed.
 */
export function ciClaims(payload: JWTPayload, issuer: string): CiClaims {
  const found = Object.entries(CLAIMS).flatMap(([name, { claims, form }]) => {
    const text = claims.map((claim) => String(payload[claim] ?? '')).find((one) => form.test(one))
    return text === undefined ? [] : [[name, text]]
  })
  return { issuer: inAscii(issuer), ...Object.fromEntries(found) }
}
