import { readSecret, secretFileName } from '@kitseal/kit/internal/node'
import { COMMAND_LINE_NAMES, SECRET_NAMES, SETTINGS, type SettingName } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Given = (name: SettingName) => string | undefined

export function unknownNames(env: Environment): string[] {
  const names = [...SETTINGS.map(({ name }) => name), ...SECRET_NAMES.map(secretFileName)]
  const known = new Set<string>([...names, ...COMMAND_LINE_NAMES])
  return Object.keys(env)
    .filter((name) => name.startsWith('KITSEAL_') && !known.has(name))
    .map((name) => `${name} is not a known setting. Remove it or correct its name.`)
}

/** A flag takes precedence. A secret may be in a file, which is read once. */
export function settingValues(env: Environment, flags: Environment, problems: string[]): Given {
  const secrets = new Map(SECRET_NAMES.map((name) => [name, secretOf(name, env, problems)]))
  return (name) => (secrets.has(name) ? secrets.get(name) : (flags[name] ?? env[name]) || undefined)
}

function secretOf(name: SettingName, env: Environment, problems: string[]): string | undefined {
  try {
    return readSecret(env, name)
  } catch (error) {
    problems.push((error as Error).message)
    return undefined
  }
}
