import { becomeLean } from '../lean-process.cjs'

becomeLean()
// `node server/src/main.ts`: the service with no command line around it.
const { serveCommand } = await import('./serve-command.ts')
process.exitCode = await serveCommand('node server/src/main.ts', process.argv.slice(2), process)
