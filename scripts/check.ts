// `npm run check`: format, lint and types, at once.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.dirname(import.meta.dirname)
const projects = globSync('{,*/}tsconfig*.json', { cwd: root }).filter(
  (file) => file !== 'tsconfig.base.json',
)
const COMMANDS = [
  ['oxfmt', '--check', '.'],
  ['oxlint', '--deny-warnings'],
  ...projects.map((file) => ['tsc', '-p', file, '--checkers', '1']),
] as const

/** Whether all is well; prints what is not. */
export async function check(): Promise<boolean> {
  const results = await Promise.all(
    COMMANDS.map(async ([program, ...args]) => {
      // Collecting garbage takes the compiler a quarter of its time.
      const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' }
      const options = { cwd: root, env, maxBuffer: 1 << 26 }
      try {
        await promisify(execFile)(path.join(root, 'node_modules/.bin', program), args, options)
        return true
      } catch (error) {
        const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
        console.error(`✖ ${program} ${args.join(' ')}\n${stdout}${stderr}`)
        return false
      }
    }),
  )
  return results.every(Boolean)
}

if (import.meta.main) process.exitCode = (await check()) ? 0 : 1
