import { Refusal } from '../refusals.ts'
import type { Rule } from './admission.ts'
import { unknownName } from './schema-problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For pages, which people open with links that others have added parameters to. */
    readonly ignoresQuery?: true
  }
}

const MAX_SHOWN = 20

/** Rejects query parameters on routes without any. A route with parameters has a closed schema. */
export const hasNoUnknownParameters: Rule = (request) => {
  // First, because Fastify puts the options of the route together each time.
  if (!request.url.includes('?') || request.is404) return undefined
  const { config, schema } = request.routeOptions
  if (config.ignoresQuery === true || schema?.querystring !== undefined) return undefined
  const names = Object.keys(request.query as object)
  if (names.length === 0) return undefined
  const problems = names.slice(0, MAX_SHOWN).map((name) => unknownName(name))
  const shown = problems.map(({ text }) => text).join('; ')
  return new Refusal('query_invalid', `${shown}. This path has no query parameters.`, {
    param: problems[0]?.param,
  })
}
