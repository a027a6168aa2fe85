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
  const isFirst = firstApiKey !== undefined
  const command = another(config, issuer, program, container)
  const invitation = isFirst ? inTheBrowser(service.firstInvitation ?? '', command) : ''
  const withKey = (opening?: string): string =>
    withEvidence(submissionSession(firstApiKey ?? '', program, container), opening)
  const handover =
    isFirst && !isTerminal
      ? await inAFile(config, invitation + withKey(base), command, container)
      : invitation
  const evidence = isFirst && isTerminal ? withKey(config.openIntake ? undefined : base) : ''
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
${handover}
${config.openIntake ? tryIt(base, isFirst) : ''}${evidence}
${container === undefined ? 'Ctrl-C stops it.' : `docker stop ${container} stops it.`}

`
}

/** Output that is no terminal is usually kept in a log, which more people read. */
async function inAFile(
  { dataFolder }: Config,
  text: string,
  command: string,
  container: string | undefined,
): Promise<string> {
  const path = firstStartFile(dataFolder)
  try {
    await writeFirstStart(dataFolder, text)
    if (container !== undefined)
      return `
To read the API key and the link that makes you the owner, run: docker exec ${container} cat ${path}
The file is deleted after the first sign-in.
`
    return `
The API key and the link that makes you the owner are in ${path}.
Only the user that runs the service can read it. It is deleted after the first sign-in.
`
  } catch (error) {
    return `
The API key and the link that makes you the owner could not be written to ${path} (${(error as Error).message}).
To get another link, run${command}
`
  }
}

const tryIt = (
  base: string,
  isFirst: boolean,
): string => `${isFirst ? 'Or try the API' : 'Try it'}: paste this into another terminal, in this folder.

${indented(session(base))}
`

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

const preparation = (base: string): string => `BASE=${base}
field() { sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p"; }
`

/** From job to verified receipt in six steps, as shell commands that can be pasted. */
export function session(base: string): string {
  return `${preparation(base)}
# 1 create a job
JOB=$(curl -s $BASE/v1/intake/jobs -H 'Content-Type: application/json' \\
  -d '{"tenant_id":"acme","scope_label":"first kit"}' | field job_id)
# 2 poll it until it is ISSUED
for _ in $(seq 60); do curl -s $BASE/v1/intake/jobs/$JOB | tee job.json | grep -q ISSUED && break; sleep 1; done
KIT=$(field kit_id < job.json)
# 3 fetch the manifest
curl -s $BASE/v1/kits/$KIT/manifest -o manifest.json
# 4 fetch the receipt
curl -s $BASE/v1/kits/$KIT/receipt -o receipt.json
# 5 fetch the key set
curl -s $BASE/.well-known/jwks.json -o jwks.json
# 6 verify
curl -s $BASE/v1/verify/receipt -H 'Content-Type: application/json' -d @receipt.json; echo`
}

/** Shown only on the first start, because the key is not stored. `base` is set if no session precedes this one. */
function withEvidence(commands: string, base?: string): string {
  const [opening, before] =
    base === undefined
      ? ['Then try it with your own evidence.', '']
      : [
          'Or try the API: paste this into another terminal, in this folder.',
          `${preparation(base)}curl -s $BASE/.well-known/jwks.json -o jwks.json\n`,
        ]
  return `
${opening} The key belongs to the first workspace, and is shown only once.

${indented(before + commands)}
`
}

/** Shown only on the first start, like the key. */
function inTheBrowser(link: string, command: string): string {
  return `
Open this link in your browser to set it up. It makes you the owner, works once, and expires after 7 days:

  ${link}

To get another link, run${command}
`
}

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

/** From a file to a verified kit; continues in the shell of the six steps. */
export function submissionSession(apiKey: string, program: string, container: string | undefined): string {
  const verify =
    container === undefined
      ? `${program} verify kit.zip --jwks jwks.json`
      : `docker exec -i ${container} sh -c 'cat >/tmp/kit.zip && kitseal verify /tmp/kit.zip --jwks "$0"' $BASE/.well-known/jwks.json <kit.zip`
  return `KEY=${apiKey}
printf 'name,role\\nann,admin\\n' > access-review.csv
SUB=$(curl -s $BASE/v1/submissions -H "X-API-Key: $KEY" -H 'Content-Type: application/json' \\
  -d '{"label":"Access review"}' | field submission_id)
curl -s $BASE/v1/submissions/$SUB/evidence -H "X-API-Key: $KEY" -F file=@access-review.csv -o submission.json
for _ in $(seq 60); do curl -s $BASE/v1/submissions/$SUB -H "X-API-Key: $KEY" | tee submission.json | grep -q -e '"PASS"' -e '"FAIL"' && break; sleep 1; done
curl -s $BASE/v1/submissions/$SUB/deliverables/kit.zip -H "X-API-Key: $KEY" -o kit.zip
${verify}`
}

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
