import assert from 'node:assert/strict'
import { kitseal } from '../../kit/command.ts'

export type Row =
  | readonly [command: string, code: number, ...lines: readonly string[]]
  /** What happens to the files in between, or is checked there. */
  | (() => void)

/** Runs commands one after the other. Each has its exit code and prints these lines, in which `…` stands for anything. */
export async function follows(
  rows: readonly Row[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const row of rows) {
    if (typeof row === 'function') {
      row()
      continue
    }
    const [command, code, ...lines] = row
    const args = Array.from(
      command.matchAll(/'([^']*)'|(\S+)/g),
      ([, quoted, plain]) => quoted ?? plain ?? '',
    )
    const ran = await kitseal(args, { env: { HOME: process.cwd(), ...env } })
    const printed = ran.stdout + ran.stderr
    for (const line of lines) {
      const pattern = line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')
      const found = new RegExp(`^ *${pattern} *$`, 'm').test(printed)
      assert.ok(found, `$ kitseal ${command}\n${line}\n-- was not printed, but:\n${printed}`)
    }
    assert.equal(ran.code, code, `$ kitseal ${command}\n${printed}`)
  }
}
