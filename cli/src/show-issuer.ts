import { certificateName, vkey, type LogPolicy, type Quorum } from '@kitseal/kit/internal'
import type { Shown } from './command-line.ts'
import { errorValue } from './input-error.ts'
import { issuerUrl } from './issuer-url.ts'
import { EXIT, printable } from './terminal.ts'
import { pinnedLog, readTrustStore } from './trust-store.ts'

/** `kitseal trust show`: everything that is pinned for one issuer. */
export function showIssuer(word: string, path: string): Shown {
  const { pins, logs } = readTrustStore(path)
  const names = new Set([word, issuerUrl(word)])
  const keys = pins.filter(({ issuer }) => names.has(issuer))
  const log = logs.find(({ issuer }) => names.has(issuer))
  const issuer = log?.issuer ?? keys[0]?.issuer
  if (issuer === undefined) {
    const message = `nothing is pinned for ${printable(word)}`
    return {
      json: errorValue({ code: 'nothing_pinned', message }),
      err: [`kitseal trust: ${message}`],
      exitCode: EXIT.fail,
    }
  }
  const { policy, time } = log === undefined ? {} : pinnedLog(log)
  return {
    json: {
      issuer,
      keys: keys.map(({ kid, createdAt }) => ({ kid, created_at: createdAt })),
      log: log === undefined ? null : { vkey: log.vkey, created_at: log.createdAt },
      witnesses: (policy?.witnesses ?? []).map(({ name, key }) => ({ name, vkey: vkey(key) })),
      quorum: policy?.quorum === undefined ? null : quorumText(policy.quorum),
      tsa_roots: (time?.roots ?? []).map(({ subject }) => certificateName(subject) ?? null),
      max_delay_seconds: time?.maxDelaySeconds ?? null,
    },
    out: [
      printable(issuer),
      ...keys.map(({ kid, createdAt }) => `  key       ${kid}, added ${printable(createdAt)}`),
      ...(log === undefined
        ? ['  log       none']
        : [`  log key   ${printable(log.vkey)}, added ${printable(log.createdAt)}`]),
      ...(log?.policy === undefined || policy === undefined
        ? ['  policy    none: no witnesses are required']
        : policyLines(policy)),
      ...(time?.roots ?? []).map(
        ({ subject }) => `  authority ${printable(certificateName(subject) ?? 'without a name')}`,
      ),
      ...(time?.maxDelaySeconds === undefined ? [] : [`  max delay ${time.maxDelaySeconds} s`]),
    ],
  }
}

/** The witnesses and the quorum of a policy, one line each. */
export function policyLines({ witnesses, quorum }: LogPolicy): readonly string[] {
  return [
    ...witnesses.map(({ name, key }) => `  witness   ${printable(name)}: ${printable(vkey(key))}`),
    `  quorum    ${printable(quorumText(quorum))}`,
  ]
}

/** `2 of (a, b, c)`. */
export function quorumText(quorum: Quorum | undefined): string {
  if (quorum === undefined) return 'none'
  if (typeof quorum === 'string') return quorum
  return `${quorum.threshold} of (${quorum.members.map(quorumText).join(', ')})`
}
