import type { JsonValue } from '@kitseal/kit'
import { allProblems } from '../http/all-problems.ts'
import { labelProblem } from '../http/label.ts'
import { Refusal } from '../refusals.ts'

/** What a caller asks for when creating a submission. */
export interface SubmissionRequest {
  readonly label: string
  readonly jobId: string | undefined
  readonly profile: string
}

const MEMBERS = new Set(['label', 'job_id', 'profile'])

/** Reads a body that is JSON; a refusal names everything that is wrong with it. */
export function readSubmissionRequest(
  body: JsonValue | undefined,
  profiles: ReadonlySet<string>,
): SubmissionRequest {
  if (body === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal('body_not_an_object', 'The body must be a JSON object with a label.')
  }
  const members = body as { readonly [name: string]: JsonValue }
  const ofLabel = labelProblem(members['label'])
  const problems = [
    ...(ofLabel === undefined ? [] : [`label ${ofLabel}`]),
    ...(isTextOrMissing(members['job_id']) ? [] : ['job_id must be a string']),
    ...profileProblems(members['profile'], profiles),
    ...Object.keys(members)
      .filter((name) => !MEMBERS.has(name))
      .map((name) => `${JSON.stringify(name.slice(0, 100))} is not a member of a submission`),
  ]
  if (problems.length > 0) throw new Refusal('body_invalid', allProblems(problems))
  return {
    label: members['label'] as string,
    jobId: (members['job_id'] ?? undefined) as string | undefined,
    profile: (members['profile'] ?? 'default') as string,
  }
}

const isTextOrMissing = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || typeof value === 'string'

function profileProblems(value: JsonValue | undefined, profiles: ReadonlySet<string>): readonly string[] {
  if (!isTextOrMissing(value)) return ['profile must be a string']
  if (value === undefined || value === null || profiles.has(value as string)) return []
  return [`profile must be one of ${[...profiles].toSorted().join(', ')}`]
}
