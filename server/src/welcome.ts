import { resolve } from 'node:path'
import type { Config } from './settings/config.ts'
import { consolePlace } from './access/console-place.ts'
import { firstStartFile, writeFirstStart } from './access/first-start.ts'
import type { Service } from './services.ts'

export interface WelcomeOptions {
  readonly isTerminal: boolean
  /** The name of the container, if the service runs in the image of deploy/Dockerfile. */
  readonly container?: string | undefined
  /** How to call the command line in this folder. */
  readonly program?: 'kitseal' | 'npx kitseal'
}

/** Printed once the service is ready: addresses, and what to try next. Only a terminal is shown the secrets of the first start. */
export async function welcome(
  service: Service,
  config: Config,
  { isTerminal, container, program = 'kitseal' }: WelcomeOptions,
): Promise<string> {
  const { address: base, issuer, signingKeys, firstApiKey } = service
  const { kid } = await signingKeys.activeSigner()
  if (config.role === 'worker') return workerWelcome(service, kid)
  const first = firstApiKey === undefined ? undefined : threeLines(service, firstApiKey, base, program)
  const handover =
    first === undefined || isTerminal
      ? (first ?? '')
      : await inAFile(config, first, another(config, issuer, program, container), container)
  return `
kitseal is running.

  address   ${base}
  issuer    ${issuer}
  key       ${kid}
  data      ${storageText(config)}
  metrics   ${service.metricsUrl ?? 'not served'}
  docs      ${base}/docs
  verifier  ${base}/verify
  console   ${consolePlace(issuer).url}

${handover}${handover === '' ? '' : '\n'}${container === undefined ? 'Ctrl-C stops it.' : `docker stop ${container} stops it.`}

`
}

/** Output that is no terminal is usually kept in a log, which more people read. */
async function inAFile({ dataFolder }: Config, text: string, command: string, container: string | undefined) {
  const path = firstStartFile(dataFolder)
  try {
    await writeFirstStart(dataFolder, text)
    if (container !== undefined)
      return `To read the API key and the link that makes you the owner, run: docker exec ${container} cat ${path}
The file is deleted after the first sign-in.
`
    return `The API key and the link that makes you the owner are in ${path}.
Only the user that runs the service can read it. It is deleted after the first sign-in.
`
  } catch (error) {
    return `The API key and the link that makes you the owner could not be written to ${path} (${(error as Error).message}).
To get another link, run${command}
`
  }
}

function workerWelcome({ address, issuer, metricsUrl = 'not served' }: Service, kid: string): string {
  return `
kitseal is running as a worker.

  address   ${address} (/healthz, /readyz)
  metrics   ${metricsUrl}
  issuer    ${issuer}
  key       ${kid}

Ctrl-C stops it.

`
}

/** Without the database password. */
function storageText({ databaseUrl, dataFolder }: Config): string {
  if (databaseUrl === undefined) return dataFolder
  const { host, pathname } = new URL(databaseUrl)
  return `${dataFolder}, postgres://${host}${pathname}`
}

/** What the first start hands over. The key is not stored, and the link works once. */
const threeLines = (
  { firstInvitation = '' }: Service,
  key: string,
  base: string,
  program: string,
): string => `  sign in   ${firstInvitation}
  API key   ${key}
  log in    ${program} login ${base}
`

/** Works in a shell without the settings of this process. */
function another(
  { databaseUrl, dataFolder }: Config,
  issuer: string,
  program: string,
  container: string | undefined,
): string {
  const task = 'admin invite --workspace default --email you@example.com --role owner'
  if (container !== undefined) return `: docker exec ${container} kitseal ${task}`
  const command = ` in this folder: ${program} ${task}`
  const address = consolePlace(issuer).url.replace(/\/console$/, '')
  const url = address === 'http://localhost:8080' ? '' : ` --url ${shellQuote(address)}`
  if (databaseUrl !== undefined) return `${command}${url}, with the same KITSEAL_DATABASE_URL`
  return `${command}${dataFolder === resolve('data') ? '' : ` --data ${shellQuote(dataFolder)}`}${url}`
}

const shellQuote = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
