// Makes src/operations.generated.json, from which `kitseal api` knows each operation of the API, out of spec/openapi.json.

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly {
    readonly in: string
    readonly name: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly security?: readonly object[]
}

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

const JSON_BODY = 'application/json'

/** Operations that send JSON or nothing. Files are sent by `kitseal submit` and `kitseal verify`. */
export function operationsOf(openapi: string): string {
  const { components, paths } = JSON.parse(openapi) as Description
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})

  const kindOf = (given: Schema): string => {
    const schema = resolve(given)
    const type =
      schema.anyOf?.map(kindOf).find((kind) => kind !== 'null') ?? [schema.type ?? 'json'].flat()[0]
    if (type === 'integer') return 'number'
    if (type === 'array') return kindOf(schema.items ?? {}) === 'string' ? 'strings' : 'json'
    return type === 'object' ? 'json' : (type ?? 'json')
  }
  const members = (schema: Schema, names: readonly string[] = schema.required ?? []) =>
    Object.entries(schema.properties ?? {}).map(([name, value]) => ({
      name,
      kind: kindOf(value),
      required: names.includes(name),
    }))

  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(
      ([method, { operationId, summary, parameters = [], requestBody, security }]) => {
        const content = requestBody?.content
        if (content !== undefined && content[JSON_BODY] === undefined) return []
        const placed = (place: string) =>
          parameters
            .filter((parameter) => parameter.in === place)
            .map(({ name, required = false, schema }) => ({ name, kind: kindOf(schema), required }))
        const row = {
          call: `${method.toUpperCase()} ${path}`,
          summary,
          isPublic: security?.every((way) => Object.keys(way).length > 0) !== true,
          path: placed('path'),
          query: placed('query'),
          body: content === undefined ? null : members(resolve(content[JSON_BODY]?.schema ?? {})),
        }
        return [[operationId, row] as const]
      },
    ),
  )
  const lines = rows
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
