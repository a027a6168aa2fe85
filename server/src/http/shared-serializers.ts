import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>
type Compiler = ReturnType<Factory>

type Serializers = Map<string, ReturnType<Compiler>>

/** Compiles one serializer per schema instead of one per route and status, on first use. Compiling all would dominate startup time. */
export const sharedSerializers: Factory = (externalSchemas, options) => {
  const compile: Compiler = SerializerSelector()(externalSchemas, options)
  const created: Serializers = new Map()
  let compiled: Serializers | undefined
  return (route) => {
    const key = JSON.stringify(route.schema)
    const shared =
      created.get(key) ??
      onFirstUse(() => {
        compiled ??= compiledWith(JSON.stringify([externalSchemas, options]))
        const serializer = compiled.get(key) ?? compile(route)
        compiled.set(key, serializer)
        return serializer
      })
    created.set(key, shared)
    return shared
  }
}

/** Services of one process share what they compiled: tests start hundreds. */
const ofProcess = new Map<string, Serializers>()

function compiledWith(schemas: string): Serializers {
  const known = ofProcess.get(schemas) ?? new Map()
  ofProcess.set(schemas, known)
  return known
}

function onFirstUse(make: () => ReturnType<Compiler>): ReturnType<Compiler> {
  let serializer: ReturnType<Compiler> | undefined
  return (data) => (serializer ??= make())(data)
}
