import { becomeLean } from '../lean-process.cjs'

becomeLean()
// Runs the service without the command line: `node server/src/main.ts`.
const { serveCommand } = await import('./serve-command.ts')
process.exitCode = await serveCommand('node server/src/main.ts', process.argv.slice(2), process)
