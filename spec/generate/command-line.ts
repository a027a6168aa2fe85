import { type OpenApi, operationsIn, resolved, type Schema } from './operations.ts'

/**
 * `kitseal api` knows each operation of the API from this. Operations that send JSON or nothing: files are sent by `kitseal submit` and
 * `kitseal verify`.
 */
export function commandLineOperations(api: OpenApi): string {
  const { schemas } = api.components
  const kindOf = (given: Schema): string => {
    const schema = resolved(given, schemas)
    const type =
      schema.anyOf?.map(kindOf).find((kind) => kind !== 'null') ?? [schema.type ?? 'json'].flat()[0]
    if (type === 'integer') return 'number'
    if (type === 'array') return kindOf(schema.items ?? {}) === 'string' ? 'strings' : 'json'
    return type === 'object' ? 'json' : (type ?? 'json')
  }
  const members = ({ properties = {}, required = [] }: Schema) =>
    Object.entries(properties).map(([name, value]) => ({
      name,
      kind: kindOf(value),
      required: required.includes(name),
    }))
  const lines = operationsIn(api)
    .filter(({ content }) => content === undefined || content['application/json'] !== undefined)
    .map(({ name, method, path, summary, isPublic, ids, query, content }) => {
      const placed = (parameters: typeof ids) =>
        parameters.map((one) => ({
          name: one.name,
          kind: kindOf(one.schema),
          required: one.required === true,
        }))
      const body = content && members(resolved(content['application/json']?.schema ?? {}, schemas))
      const row = {
        call: `${method} ${path}`,
        summary,
        isPublic,
        path: placed(ids),
        query: placed(query),
        body: body ?? null,
      }
      return `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`
    })
  return `{\n${lines.toSorted().join(',\n')}\n}\n`
}
