import { base64, parseCheckpoint, parsePolicy, verifyCheckpoint, vkey } from '@kitseal/kit/internal'
import { nodeHost } from '@kitseal/kit/node'
import type { Db } from '../database/schema.ts'
import { readLog } from '../log/log-key.ts'
import type { TransparencyLog } from '../log/transparency-log.ts'
import { policyText, type WitnessPolicy } from '../log/witness-policy.ts'
import { card, code, facts, html, type Html, type Say, type StaticPage, table } from './static-page.ts'

export interface LogPageData {
  issuer(): string
  readonly db: Db
  readonly transparencyLog: Pick<TransparencyLog, 'checkpoint' | 'vkey'>
  readonly witnesses: WitnessPolicy | undefined
}

/** `/log`: the newest checkpoint of the transparency log, its witnesses, and how to check it. It says nothing of its own correctness. */
export const logPage = (data: LogPageData): StaticPage => ({
  title: (say) => say('log.title'),
  body: async (say) => {
    const log = await readLog(data.db)
    const heading = html`<div class="heading">
      <div>
        <h1>${say('log.title')}</h1>
        <p class="lead">${say('log.lead')}</p>
      </div>
    </div>`
    if (log === undefined)
      return html`${heading}
        <p>${say('log.unavailable')}</p>`
    const key = await data.transparencyLog.vkey()
    const issuer = data.issuer().replace(/\/+$/, '')
    const policy = parsePolicy(policyText(key, `${issuer}/log`, data.witnesses?.lines), nodeHost.digest)
    const checkpoint = parseCheckpoint(await data.transparencyLog.checkpoint())
    const status = await verifyCheckpoint(checkpoint, policy, nodeHost)
    const seen = new Map(status.is === 'signed' ? status.cosigned.map(({ name, time }) => [name, time]) : [])
    return html`${heading} ${log.frozen_at === null ? undefined : frozen(say, log.frozen_at)}
    ${card(
      say('log.checkpoint'),
      facts([
        [say('log.size'), String(checkpoint.size)],
        [say('log.last'), instant(log.updated_at)],
        [say('log.origin'), checkpoint.origin],
        [say('log.root'), code(base64(checkpoint.root))],
        [say('log.key'), code(key)],
      ]),
    )}
    ${card(
      say('log.witnesses.title'),
      html`<p class="quiet">
        ${say(policy.witnesses.length === 0 ? 'log.witnesses.none' : 'log.witnesses.lead')}
      </p>`,
      ...(policy.witnesses.length === 0
        ? []
        : [
            table(
              [say('log.witnesses.name'), say('log.witnesses.key'), say('log.witnesses.seen')],
              policy.witnesses.map(({ name, key: own }) => {
                const time = seen.get(name)
                const cosigned = time === undefined ? say('log.witnesses.notYet') : instant(time * 1000)
                return [own.name, code(vkey(own)), cosigned]
              }),
            ),
          ]),
    )}
    ${card(
      say('log.monitor.title'),
      html`<p>${say('log.monitor.text')}</p>`,
      html`<p class="command">${code(say('log.monitor.command', { issuer: data.issuer() }))}</p>`,
      html`<p><a href="/docs/how-to/run-a-monitor">${say('log.monitor.guide')}</a></p>`,
      html`<p class="quiet">
        ${say('log.monitor.files')} <a href="/log/checkpoint">/log/checkpoint</a>,
        <a href="/log/policy">/log/policy</a>
      </p>`,
    )}`
  },
})

const frozen = (say: Say, since: string): Html =>
  html`<div class="notice warn">
    <div>
      <p class="strong">${say('log.frozenTitle')}</p>
      <p>${say('log.frozen', { since: instant(since) })}</p>
    </div>
  </div>`

function instant(at: string | number): string {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
