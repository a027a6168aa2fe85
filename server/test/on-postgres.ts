// `node server/test/on-postgres.ts COMMAND…` runs a command while a PostgreSQL server of its own is there, which services
// under test then use.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { postgresServer } from './postgres-server.ts'

const [program = '', ...args] = process.argv.slice(2)
await using server = await postgresServer()
const child = spawn(program, args, {
  env: { ...process.env, KITSEAL_TEST_DATABASE: server.url },
  stdio: ['ignore', 'inherit', 'inherit'],
})
const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
if (signal !== null) console.error(`${program} was ended by ${signal}`)
process.exitCode = code ?? 1
