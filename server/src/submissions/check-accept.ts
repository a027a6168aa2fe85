import { acceptProblem } from '@kitseal/evidence'
import type { ExtraCheck } from '../http/validate-request.ts'

/** Each code must be one that can be acknowledged. */
export const checkAccept: ExtraCheck = ({ accept }) =>
  (Array.isArray(accept) ? accept : []).flatMap((code) => {
    const problem = typeof code === 'string' ? acceptProblem(code) : undefined
    return problem === undefined ? [] : [`accept: ${problem}`]
  })
