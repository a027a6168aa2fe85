import type { Described } from './openapi-document.ts'

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The name of a part in its URL. */
export const partName = (tag: string): string => tag.toLowerCase()

/** The description of one group: its operations, and only the components that they refer to. Undefined if there is no such group. */
export function openapiPart(document: Described, name: string): object | undefined {
  const tag = document.tags?.find((each) => partName(each.name) === name)
  if (tag === undefined) return undefined
  const isOf = (operation: unknown): boolean =>
    (operation as { readonly tags?: readonly string[] }).tags?.includes(tag.name) === true
  const only = (items: Readonly<Record<string, object>> = {}): Record<string, object> =>
    Object.fromEntries(
      Object.entries(items).flatMap(([path, item]) => {
        const operations = Object.entries(item).filter(([, operation]) => isOf(operation))
        return operations.length === 0 ? [] : [[path, Object.fromEntries(operations)]]
      }),
    )
  const { webhooks, components, ...rest } = document as Described & {
    readonly webhooks?: Record<string, object>
  }
  const part = { ...rest, tags: [tag], paths: only(document.paths), webhooks: only(webhooks) }
  return { ...part, components: reachable(part, components as unknown as Components) }
}

/** The components that are referred to, by the part or by each other, and all security schemes. */
function reachable(part: object, components: Components): Components {
  const found = new Map<string, unknown>()
  const look = (value: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(value).matchAll(REFERENCE)) {
      const key = `${kind}/${name}`
      if (found.has(key)) continue
      found.set(key, components[kind]?.[name])
      look(found.get(key))
    }
  }
  look(part)
  const used = Object.entries(components).map(([kind, members]) => [
    kind,
    Object.fromEntries(
      Object.entries(members).filter(([name]) => kind === 'securitySchemes' || found.has(`${kind}/${name}`)),
    ),
  ])
  return Object.fromEntries(used) as Components
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"/]+)"/g
