import { type Constants, CONSTANTS } from '../../server/src/settings/limits.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The constants of the service, with what a test has set: `TEST_MAX_QUEUE: '1'` for `maxQueue`. */
export function testConstants(env: Environment): Constants {
  return { ...CONSTANTS, ...given(env) }
}

function given(env: Environment): Partial<Constants> {
  const entries = Object.keys(CONSTANTS).flatMap((name) => {
    const value = env[`TEST_${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`]
    return value === undefined ? [] : [[name, JSON.parse(value)]]
  })
  return Object.fromEntries(entries)
}

/** The arguments of Node.js for a process that has the constants of `env`. */
export const constantsOption = (env: Environment): readonly string[] =>
  Object.keys(given(env)).length === 0
    ? []
    : [`--import=${new URL('preload-constants.ts', import.meta.url).href}`]
