import { ApiError } from '@kitseal/client'
import type { ReactNode } from 'react'
import { messageOf } from '../core/fetch-json.ts'
import { Link } from '../core/router.tsx'
import { type Below, known, t } from '../core/texts.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icons.tsx'

export interface CardProps {
  readonly title?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly id?: string
  readonly className?: string
}

export function Card({ title, actions, children, id, className = '' }: CardProps) {
  return (
    <section className={`card ${className}`} id={id} aria-label={title}>
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions !== undefined && <div className="row">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

export interface Fact {
  readonly name: string
  readonly value: ReactNode
}

export interface FactsProps<Group extends string> {
  /** The group of messages that names them. */
  readonly texts?: Group
  /** By name. What is undefined or false is left out. */
  readonly facts?: { readonly [Name in Below<Group>]?: ReactNode }
  /** Those with other names. */
  readonly more?: readonly Fact[]
}

export function Facts<Group extends string = never>({ texts, facts = {}, more = [] }: FactsProps<Group>) {
  const named = Object.entries<ReactNode>(facts)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => ({ name: known(`${texts}.${name}`) ?? name, value }))
  return (
    <dl className="facts">
      {[...named, ...more].map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export interface EmptyProps {
  readonly icon: IconName
  /** The group of messages with `title` and `text`, if they are not given. */
  readonly texts?: string
  readonly title?: string
  readonly children?: ReactNode
  readonly action?: ReactNode
  /** 1 if it is the whole page. */
  readonly level?: 1
}

/** An empty state. */
export function Empty({ icon, texts, action, level, ...own }: EmptyProps) {
  const title = own.title ?? known(`${texts}.title`)
  const children = own.children ?? known(`${texts}.text`)
  return (
    <div className="empty">
      <Icon name={icon} size={32} />
      {level === 1 ? <h1>{title}</h1> : <p className="strong">{title}</p>}
      {children !== undefined && <p className="quiet">{children}</p>}
      {action}
    </div>
  )
}

export interface NoticeProps {
  readonly tone: 'info' | 'warn' | 'fail' | 'pass'
  readonly title?: ReactNode
  readonly children: ReactNode
  /** Announced at once by screen readers. */
  readonly isAlert?: boolean
}

const NOTICE_ICONS = { info: 'shield', warn: 'warning', fail: 'cross', pass: 'check' } as const

export function Notice({ tone, title, children, isAlert = false }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={NOTICE_ICONS[tone]} size={20} />
      <div>
        {title !== undefined && <p className="strong">{title}</p>}
        <div>{children}</div>
      </div>
    </div>
  )
}

export interface AlertProps {
  readonly tone?: NoticeProps['tone']
  readonly title?: string
  /** Nothing is shown without it. */
  readonly text: string | undefined
}

/** A sentence that screen readers announce at once. */
export function Alert({ text, tone = 'fail', ...props }: AlertProps) {
  if (text === undefined) return null
  return (
    <Notice tone={tone} isAlert {...props}>
      {text}
    </Notice>
  )
}

/** To the list that a page belongs to. */
export function BackLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className="back-link">
      <Icon name="chevron" size={14} className="icon back" />
      {children}
    </Link>
  )
}

export interface HeadingProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
}

export function Heading({ title, lead, actions }: HeadingProps) {
  return (
    <div className="heading">
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <p className="lead">{lead}</p>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  )
}

export interface ProblemProps {
  readonly error: unknown
  readonly title?: string
  readonly onRetry?: () => void
}

/** An error message, with a retry button where a retry can help. Nothing without an error. */
export function Problem({ error, title = t('problem.title'), onRetry }: ProblemProps) {
  if (error == null) return null
  return (
    <Notice tone="fail" isAlert title={title}>
      <p>{messageOf(error)}</p>
      {onRetry !== undefined && mayPass(error) && (
        <Button size="small" onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      )}
    </Notice>
  )
}

/** Client errors are final, except rate limiting. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.status < 400 || error.status >= 500 || error.status === 408 || error.status === 429
}

interface Query {
  readonly error: unknown
  readonly isPending: boolean
  refetch(): Promise<unknown>
}

/** Why there is nothing to show, or nothing new. */
export function QueryState({ query }: { readonly query: Query }) {
  if (query.error != null) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return query.isPending ? <Loading /> : null
}

export function Loading() {
  return (
    <p className="quiet" role="status">
      {t('common.loading')}…
    </p>
  )
}
