import { asLine, type CiClaims } from '@kitseal/kit/internal'
import type { JWTPayload } from 'jose'

/** The claims of GitHub and GitLab that say which run of which pipeline a token is for. The first one that it has counts. */
const CLAIMS: Readonly<Record<Exclude<keyof CiClaims, 'issuer'>, readonly string[]>> = {
  repository: ['repository', 'project_path'],
  ref: ['ref'],
  commit: ['sha'],
  workflow: ['workflow_ref', 'workflow', 'ci_config_ref_uri'],
  run: ['run_id', 'pipeline_id'],
  attempt: ['run_attempt'],
}
const MAX_LENGTH = 500

/** What a kit says about the token of a CI system that was verified. Nothing about a person: no actor, login or address. */
export function ciClaims(payload: JWTPayload, issuer: string): CiClaims {
  const found = Object.entries(CLAIMS).flatMap(([name, claims]) => {
    const text = claims.map((claim) => textOf(payload[claim])).find((one) => one !== undefined)
    return text === undefined ? [] : [[name, text]]
  })
  return { issuer: asLine(issuer, MAX_LENGTH) ?? issuer, ...Object.fromEntries(found) }
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? asLine(String(value), MAX_LENGTH) : undefined
