import { describeError, InputError } from '../input-error.ts'
import { printable, type Terminal, writeLines } from '../terminal.ts'
import type { Alert } from './alert.ts'

const WEBHOOK_ATTEMPTS = 3
/** Leaves are untrusted and may be long. */
const MESSAGE_LENGTH = 1000

export interface AlertOutput {
  readonly issuer: string
  readonly json: boolean
  readonly webhook: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Prints alerts and posts them to the webhook. Throws if the webhook does not accept them. */
export async function reportAlerts(
  alerts: readonly Alert[],
  { issuer, json, webhook, timeoutMs, signal }: AlertOutput,
  terminal: Terminal,
): Promise<void> {
  if (alerts.length === 0) return
  const time = new Date().toISOString()
  const shown = alerts.map(({ code, message, index, evidence }) => ({
    alert: code,
    issuer,
    time,
    message: message.slice(0, MESSAGE_LENGTH),
    ...(index === undefined ? {} : { index }),
    ...(evidence === undefined ? {} : { evidence }),
  }))
  writeLines(
    terminal.stdout,
    shown.flatMap((alert) => (json ? [jsonLine(alert)] : alertText(alert))),
  )
  if (webhook === undefined) return
  const text = [
    `kitseal monitor: alert for ${issuer}`,
    ...shown.map(({ alert, message }) => `${alert}: ${message}`),
  ]
  const body = JSON.stringify({ text: text.slice(0, 11).join('\n'), issuer, time, alerts: shown })
  await post(webhook, body, timeoutMs, signal)
}

/** One line, with control characters escaped. */
export function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value))
}

function alertText(alert: {
  alert: string
  message: string
  evidence?: readonly string[]
}): readonly string[] {
  return [
    `ALERT  ${alert.alert}: ${printable(alert.message)}`,
    ...(alert.evidence ?? []).map((path) => `       evidence: ${printable(path)}`),
  ]
}

async function post(url: string, body: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      if (response.ok) return
      throw new Error(`it returned ${response.status}`)
    } catch (error) {
      signal.throwIfAborted()
      // The path of a webhook is often its secret.
      if (attempt === WEBHOOK_ATTEMPTS)
        throw new WebhookError(
          `the webhook at ${new URL(url).host} did not accept the alerts: ${describeError(error)}`,
        )
    }
  }
}

/** Alerts that were printed, but not delivered. They are reported again in the next run. */
export class WebhookError extends InputError {}
