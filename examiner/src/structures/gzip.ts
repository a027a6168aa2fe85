import type { ExamineContext } from '../examine-context.ts'
import type { Finding } from '../rules.ts'
import { contentOfMembers, findMembers } from './gzip-members.ts'
import { orProblem } from './inner-files.ts'
import type { FileToCheck, Structure } from './structure.ts'

/** A gzip file (RFC 1952): its content is examined under its name without `.gz`. */
export async function checkGzip(file: FileToCheck, ctx: ExamineContext): Promise<Structure> {
  const { source, depth, name, markersAt } = file
  const { limits, budget } = ctx
  const { inflateStream } = ctx.platform.host
  if (depth >= limits.nesting)
    return only({
      code: 'nested_too_deep',
      detail: `at most ${limits.nesting} levels of archives are allowed`,
    })
  let limit: Finding | undefined
  const members = await findMembers(source, markersAt, inflateStream, limits, ({ sizeBytes }) => {
    limit = budget.admit(1, sizeBytes, source.sizeBytes)
    return limit === undefined
  })
  if (limit !== undefined) return only(limit)
  if (typeof members === 'string')
    return only({ code: 'malformed_gzip', detail: 'it is truncated or damaged' })
  const sizeBytes = members.reduce((sum, member) => sum + member.sizeBytes, 0)
  const content = (): AsyncIterable<Uint8Array> =>
    orProblem(contentOfMembers(source, members, inflateStream), () => ({ code: 'malformed_gzip' }))
  const inside =
    name
      .replace(/\.tgz$/i, '.tar')
      .replace(/\.gz$/i, '')
      .replace(/.*\//, '') || 'content'
  return { type: 'gz', findings: [], notes: [], inner: [{ name: inside, sizeBytes, as: 'file', content }] }
}

const only = (finding: Finding): Structure => ({ type: 'gz', findings: [finding], notes: [] })
