import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>
type Compiler = ReturnType<Factory>

/** Shared by the services of a process: tests start hundreds. */
const createdWith = new Map<string, Map<string, ReturnType<Compiler>>>()

/** Compiles one serializer per schema instead of one per route and status, on first use. Compiling all would dominate startup time. */
export const sharedSerializers: Factory = (externalSchemas, options) => {
  const compile: Compiler = SerializerSelector()(externalSchemas, options)
  const sharedWith = JSON.stringify([externalSchemas, options])
  const created = createdWith.get(sharedWith) ?? new Map<string, ReturnType<Compiler>>()
  createdWith.set(sharedWith, created)
  return (route) => {
    const key = JSON.stringify(route.schema)
    const shared = created.get(key) ?? onFirstUse(() => compile(route))
    created.set(key, shared)
    return shared
  }
}

function onFirstUse(make: () => ReturnType<Compiler>): ReturnType<Compiler> {
  let serializer: ReturnType<Compiler> | undefined
  return (data) => (serializer ??= make())(data)
}
