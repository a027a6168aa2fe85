import { becomeLean } from '../lean-process.cjs'

becomeLean()
const [{ outliveTerminal }, { serve }, { untilSignal }] = await Promise.all([
  import('./outlive-terminal.ts'),
  import('./serve.ts'),
  import('./until-signal.ts'),
])

// `node server/src/main.ts`: the service with no command line around it.
outliveTerminal()
process.exitCode = await serve({
  env: process.env,
  flags: {},
  stdout: process.stdout,
  stderr: process.stderr,
  stopped: untilSignal(),
})
