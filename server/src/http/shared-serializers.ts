import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>
type Compiler = ReturnType<Factory>

/**
 * Makes one serializer for each schema, not for each route and status, and not before it is needed: most answers are one
 * of a few resources or the one error, and making all of them is most of the time that a start would take.
 */
export const sharedSerializers: Factory = (externalSchemas, options) => {
  const compile: Compiler = SerializerSelector()(externalSchemas, options)
  const made = new Map<string, ReturnType<Compiler>>()
  return (route) => {
    const key = JSON.stringify(route.schema)
    const shared = made.get(key) ?? onFirstUse(() => compile(route))
    made.set(key, shared)
    return shared
  }
}

function onFirstUse(make: () => ReturnType<Compiler>): ReturnType<Compiler> {
  let serializer: ReturnType<Compiler> | undefined
  return (data) => (serializer ??= make())(data)
}
