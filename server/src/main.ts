import { outliveTerminal } from './outlive-terminal.ts'
import { serve } from './serve.ts'
import { untilSignal } from './until-signal.ts'

// `node server/src/main.ts`: the service with no command line around it.
outliveTerminal()
process.exitCode = await serve({
  env: process.env,
  flags: {},
  stdout: process.stdout,
  stderr: process.stderr,
  stopped: untilSignal(),
})
