// `node server/test/on-postgres.ts VARIABLE COMMAND…` runs a command with a new PostgreSQL server, whose URL is in VARIABLE.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { exitWith, postgresServer } from '../../test/kit/postgres.ts'

const [variable = '', program = '', ...args] = process.argv.slice(2)
await using server = await postgresServer()
const child = spawn(program, args, {
  env: { ...process.env, [variable]: server.url },
  stdio: ['ignore', 'inherit', 'inherit'],
})
const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
if (signal !== null) console.error(`${program} was ended by ${signal}`)
exitWith(code ?? 1)
