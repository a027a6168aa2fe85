import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>
type Compiler = ReturnType<Factory>

/**
 * Makes one serializer for each schema, not for each route and status: most answers are one of a few resources or the one
 * error, and making a serializer is most of the time that a start takes.
 */
export const sharedSerializers: Factory = (externalSchemas, options) => {
  const compile: Compiler = SerializerSelector()(externalSchemas, options)
  const made = new Map<string, ReturnType<Compiler>>()
  return (route) => {
    const key = JSON.stringify(route.schema)
    const serializer = made.get(key) ?? compile(route)
    made.set(key, serializer)
    return serializer
  }
}
