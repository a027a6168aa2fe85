import type { ReactNode } from 'react'
import { type Below, known } from '../core/texts.ts'
import { Icon, type IconName } from './icons.tsx'

/** How a status looks: never by colour alone. */
interface Look {
  readonly icon: IconName
  readonly tone: 'pass' | 'fail' | 'warn' | 'info' | 'quiet'
}

const look = (icon: IconName, tone: Look['tone']): Look => ({ icon, tone })

/** Every status that a page shows, by what it is the status of. */
export const LOOKS = {
  submission: {
    draft: look('upload', 'warn'),
    queued: look('clock', 'info'),
    running: look('clock', 'info'),
    passed: look('check', 'pass'),
    failed: look('cross', 'fail'),
    expired: look('clock', 'quiet'),
  },
  kit: {
    verified: look('check', 'pass'),
    unconfirmed: look('warning', 'warn'),
    failed: look('cross', 'fail'),
    revoked: look('cross', 'fail'),
    erased: look('trash', 'quiet'),
  },
  request: {
    open: look('clock', 'warn'),
    submitted: look('inbox', 'info'),
    accepted: look('check', 'pass'),
    closed: look('cross', 'quiet'),
  },
  item: {
    missing: look('dash', 'quiet'),
    collected: look('file', 'info'),
    to_review: look('clock', 'info'),
    needs_changes: look('warning', 'warn'),
    accepted: look('check', 'pass'),
    not_applicable: look('dash', 'quiet'),
  },
  /** An item of a profile. */
  profileItem: {
    met: look('check', 'pass'),
    suggested: look('warning', 'warn'),
    missing: look('warning', 'warn'),
    optional: look('dash', 'quiet'),
    open: look('clock', 'quiet'),
  },
  /** Also of a room. */
  share: {
    active: look('check', 'pass'),
    expired: look('clock', 'quiet'),
    revoked: look('cross', 'fail'),
    exhausted: look('dash', 'warn'),
  },
  remark: {
    open: look('clock', 'warn'),
    answered: look('inbox', 'info'),
    resolved: look('check', 'pass'),
  },
  webhook: {
    active: look('check', 'pass'),
    failing: look('warning', 'warn'),
    disabled: look('cross', 'fail'),
  },
  /** Also of a signing key. */
  key: {
    active: look('check', 'pass'),
    retired: look('clock', 'quiet'),
    expired: look('clock', 'quiet'),
    revoked: look('cross', 'fail'),
  },
  /** Of the service. */
  check: {
    ok: look('check', 'pass'),
    warn: look('warning', 'warn'),
    fail: look('cross', 'fail'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Look>>>>

type Noun = keyof typeof LOOKS

interface StatusProps<Of extends Noun, Group extends string> {
  readonly of: Of
  readonly is: keyof (typeof LOOKS)[Of] & ([Group] extends [never] ? unknown : Below<Group>)
  /** The group of messages that has its name. */
  readonly texts?: Group
  /** Its name, if it is no message of a group. */
  readonly children?: ReactNode
}

/** A status, as word, shape and colour. */
export function Status<Of extends Noun, Group extends string = never>(props: StatusProps<Of, Group>) {
  const { of, is, texts, children } = props
  const { icon, tone }: Look = LOOKS[of][is] as Look
  return (
    <span className={`status ${tone}`}>
      <Icon name={icon} size={14} />
      {children ?? known(`${texts}.${String(is)}`)}
    </span>
  )
}
