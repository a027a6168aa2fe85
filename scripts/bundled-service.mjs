// Loaded into the services that tests start: `main.ts` and its work threads load a bundle of the service.
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const from = new URL(import.meta.url).searchParams.get('from')
const bundled = (name) => pathToFileURL(path.join(from ?? '', `${name}.mjs`)).href

/** A test may import the same modules from their source, so only these imports are redirected. */
function bundleFor(url, parent) {
  if (parent?.endsWith('/server/src/main.ts') && url.endsWith('/server/src/serve-command.ts'))
    return bundled('serve-command')
  if (parent === undefined && url.endsWith('/server/src/work/work-thread.ts')) return bundled('work-thread')
  return undefined
}

if (from !== null)
  registerHooks({
    resolve: (specifier, context, next) => {
      const resolved = next(specifier, context)
      const url = bundleFor(resolved.url, context.parentURL)
      return url === undefined ? resolved : { url, format: 'module', shortCircuit: true }
    },
  })
