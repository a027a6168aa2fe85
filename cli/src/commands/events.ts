import { createHmac, randomBytes } from 'node:crypto'
import type { WorkspaceEvent } from '@kitseal/client'
import { InputError, describeError } from '../input-error.ts'
import { SERVICE_NOTE, serviceCommand } from '../service-call.ts'
import { EXIT, printable, type Terminal, writeLines } from '../terminal.ts'

const HELP = `usage: kitseal events [--after SEQ] [--follow] [--type TYPE]… [--url URL] [--json]
       kitseal events --forward-to TARGET_URL [--after SEQ] [--type TYPE]… [--url URL] [--json]

Prints what happened in the workspace, oldest first and without gaps: one line per event.

OPTIONS

${SERVICE_NOTE}

With --json, each line is one event, or one result of --forward-to, as JSON. Set KITSEAL_WEBHOOK_SECRET to forward with the same
secret in each run. A message that your receiver refuses is not sent again, as a webhook would: start again with --after.

examples:
  kitseal events --follow --json | jq 'select(.type == "submission.passed").data.kit_id'
  kitseal events --forward-to http://127.0.0.1:3000/hook --type submission.passed

exit codes: 0 success; 2 wrong usage or the service cannot be reached; 4 the service refused the call; 130 ended with Ctrl+C`

/** As the service waits for a webhook. */
const TIMEOUT_MS = 15_000
const SECRET = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/

/** `kitseal events`. */
export const run = serviceCommand('events', HELP, {
  options: {
    after:
      'SEQ  start after this sequence number (default: 0, from the beginning; with --forward-to, the next event)',
    follow: 'wait for new events, until you press Ctrl+C',
    type: 'TYPE…  only events of this type, such as submission.passed. Can be repeated',
    'forward-to':
      'TARGET_URL  follow, and send each event to a URL on your machine while you develop a receiver of webhooks. Messages are signed as webhooks are (Standard Webhooks, v1), with a secret that is printed at the start',
  },
  arguments: [],
  input: ({ has }, { env }) => (has('forward-to') ? secretIn(env) : ''),
  read: ({ value, values, has, json, reject }) => {
    const [target = '', after] = [value('forward-to'), value('after')]
    const isWanted = ({ type }: WorkspaceEvent): boolean => !has('type') || values('type').includes(type)
    reject(
      after !== undefined && !/^\d{1,15}$/.test(after) && '--after must be a sequence number',
      has('forward-to') && !/^https?:\/\//.test(target) && '--forward-to must be an http or https URL',
      has('forward-to') && !URL.canParse(target) && '--forward-to is not a valid URL',
    )
    return async ({ client, signal, terminal }, secret) => {
      const print = (text: string): void => writeLines(terminal.stdout, [text])
      if (!has('forward-to')) {
        for await (const event of client.events({
          after: Number(after ?? '0'),
          follow: has('follow'),
          signal,
        }))
          if (isWanted(event)) print(json ? JSON.stringify(event) : lineOf(event))
        return EXIT.ok
      }
      const start = after ?? (await client.getAuditTrail({ limit: 1 }, { signal })).data[0]?.seq ?? 0
      writeLines(terminal.stderr, [
        `Sending events after ${start} to ${printable(target)}. Press Ctrl+C to end.`,
        `Secret of the signatures: ${secret}`,
      ])
      for await (const event of client.events({ after: Number(start), follow: true, signal })) {
        if (!isWanted(event)) continue
        const result = await forward(event, target, secret, signal)
        print(json ? JSON.stringify(result) : resultLine(result))
      }
      throw new Error('following events does not end')
    }
  },
})

function lineOf({ seq, timestamp, type, actor, subject, data }: WorkspaceEvent): string {
  const details = Object.entries(data).map(([name, value]) => `${name}=${String(value)}`)
  return printable([String(seq).padStart(6), timestamp, type, subject, `by ${actor}`, ...details].join('  '))
}

function secretIn(env: Terminal['env']): string {
  const given = env['KITSEAL_WEBHOOK_SECRET'] || undefined
  if (given !== undefined && !SECRET.test(given))
    throw new InputError('KITSEAL_WEBHOOK_SECRET must be whsec_ and at least 24 bytes in Base64')
  return given ?? `whsec_${randomBytes(32).toString('base64')}`
}

/** The status is that of the response, null if there was none; the problem is null if the event was delivered. */
async function forward(event: WorkspaceEvent, target: string, secret: string, signal: AbortSignal) {
  const { seq, type } = event
  const body = JSON.stringify(event)
  try {
    const { status } = await fetch(target, {
      method: 'POST',
      headers: signedHeaders(`evt_listen_${seq}`, body, secret),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const isDelivered = status >= 200 && status < 300
    return { seq, type, status, problem: isDelivered ? null : 'the response is not 2xx' }
  } catch (error) {
    signal.throwIfAborted()
    return { seq, type, status: null, problem: describeError((error as Error).cause ?? error) }
  }
}

/** As server/src/deliveries/post-webhook.ts signs with the secret of a webhook. A test compares them. */
export function signedHeaders(
  id: string,
  body: string,
  secret: string,
  nowMs = Date.now(),
): Record<string, string> {
  const seconds = `${Math.floor(nowMs / 1000)}`
  const key = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'kitseal-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  }
}

function resultLine({ seq, type, status, problem }: Awaited<ReturnType<typeof forward>>): string {
  const result = [...(status === null ? [] : [`status ${status}`]), ...(problem === null ? [] : [problem])]
  return printable([String(seq).padStart(6), type, result.join(', ')].join('  '))
}
