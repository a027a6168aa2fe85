import type { JsonValue } from '@kitseal/kit'
import { allProblems } from '../http/all-problems.ts'
import { labelProblem } from '../http/label.ts'
import { Refusal } from '../refusals.ts'

/** What a caller asks for when creating a job. */
export interface JobRequest {
  readonly tenantId: string
  readonly scopeLabel: string
  readonly status: 'DRAFT' | 'SUBMITTED'
}

type Check = (value: JsonValue) => string | undefined

const isString: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string')

const isFirstStatus: Check = (value) =>
  value === 'DRAFT' || value === 'SUBMITTED' ? undefined : 'must be "DRAFT" or "SUBMITTED" where it is given'

const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/

const isDateTime: Check = (value) => {
  const [, year, month, day] = DATE_TIME.exec(typeof value === 'string' ? value : '') ?? []
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  const holds = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days
  return holds ? undefined : 'must be a date-time (RFC 3339)'
}

/** Every member of the IntakeJob shape; the service assigns those that are not asked for below. */
const MEMBERS: Readonly<Record<string, { readonly required?: true; readonly check: Check }>> = {
  tenant_id: { required: true, check: labelProblem },
  scope_label: { required: true, check: labelProblem },
  status: { check: isFirstStatus },
  job_id: { check: isString },
  created_at: { check: isDateTime },
  updated_at: { check: isDateTime },
  kit_id: { check: (value) => (value === null ? undefined : isString(value) && 'must be a string or null') },
  boundary: { check: isString },
}

/** Reads a body that is JSON; a refusal names everything that is wrong with it. */
export function readJobRequest(body: JsonValue | undefined): JobRequest {
  if (body === undefined || body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Refusal('body_not_an_object', 'The body must be a JSON object with tenant_id and scope_label.')
  }
  const members = body as { readonly [name: string]: JsonValue }
  const problems = [...problemsOf(members)]
  if (problems.length > 0) throw new Refusal('body_invalid', allProblems(problems))
  return {
    tenantId: members['tenant_id'] as string,
    scopeLabel: members['scope_label'] as string,
    status: (members['status'] as JobRequest['status'] | undefined) ?? 'SUBMITTED',
  }
}

function* problemsOf(members: { readonly [name: string]: JsonValue }): Generator<string> {
  for (const [name, { required, check }] of Object.entries(MEMBERS)) {
    const value = members[name]
    if (value === undefined) {
      if (required) yield `${name} is missing`
      continue
    }
    const problem = check(value)
    if (problem !== undefined) yield `${name} ${problem}`
  }
  for (const name of Object.keys(members)) {
    if (!Object.hasOwn(MEMBERS, name))
      yield `${JSON.stringify(name.slice(0, 100))} is not a member of an IntakeJob`
  }
}
