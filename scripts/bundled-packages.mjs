// Loaded into each test process, and into the services that tests start: resolves some packages to bundles of them.
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const from = new URL(import.meta.url).searchParams.get('from') ?? ''
const bundles = new Map(
  ['typebox', 'typebox/schema', 'typebox/system', 'kysely'].flatMap((name) => {
    const file = path.join(from, `${name}.mjs`)
    return existsSync(file) ? [[name, pathToFileURL(file).href]] : []
  }),
)

const project = new URL('../', import.meta.url).href

/** Node looks at the file and at the package it is in, which takes a third of the time of an import. */
const isSource = (specifier, parent) =>
  /^\.\.?\/.*\.ts$/.test(specifier) && parent?.startsWith(project) && !parent.includes('/node_modules/')

registerHooks({
  resolve: (specifier, context, next) => {
    if (isSource(specifier, context.parentURL))
      return {
        url: new URL(specifier, context.parentURL).href,
        format: 'module-typescript',
        shortCircuit: true,
      }
    const url = bundles.get(specifier)
    return url === undefined ? next(specifier, context) : { url, format: 'module', shortCircuit: true }
  },
})
