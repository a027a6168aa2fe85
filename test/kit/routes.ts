import type { FastifyInstance } from 'fastify'

/** Method and path of every route. */
export function printedRoutes(app: FastifyInstance): readonly (readonly [method: string, path: string])[] {
  const above: string[] = []
  return app
    .printRoutes()
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods = ''] =
        /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
      if (segment === '') return []
      const depth = indent.length / 4
      const path = (above[depth - 1] ?? '') + segment
      above[depth] = path
      return methods.split(', ').flatMap((method) => (method === '' ? [] : [[method, path] as const]))
    })
}
