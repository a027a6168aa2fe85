import { type ReactNode, useState } from 'react'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'
import {
  type Blocker,
  type BlockerGroup,
  type Finding,
  groupBlockers,
  isTruncated,
  countListed,
} from './blocker-groups.ts'
import '../styles/blockers.css'

/** "3 blockers", or "499+ blockers" if the list is truncated. */
export const blockersText = (blockers: readonly Blocker[]): string =>
  texts.console.blockers(countListed(blockers), isTruncated(blockers))

/** Acknowledged damage and notices, closed at first. Nothing if there are none. */
export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  const t = texts.console.findings
  const groups = [
    { title: t.acknowledged, list: findings.filter(({ acknowledged }) => acknowledged) },
    { title: t.notices, list: findings.filter(({ acknowledged }) => !acknowledged) },
  ]
  return groups
    .filter(({ list }) => list.length > 0)
    .map(({ title, list }) => (
      <Closed className="card findings" key={title(0)} title={title(list.length)}>
        <BlockerList blockers={list} icon="dash" />
      </Closed>
    ))
}

interface ClosedProps {
  readonly title: string
  readonly className: string
  readonly children: ReactNode
}

/** Rendered when it is opened, because lists can be long. */
function Closed({ title, className, children }: ClosedProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={className} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  )
}

/** Blockers with their remedies and paths. */
export function BlockerList({
  blockers,
  icon = 'cross',
}: {
  readonly blockers: readonly Blocker[]
  readonly icon?: IconName
}) {
  return (
    <ul className="blockers">
      {groupBlockers(blockers).map(({ code, message, remedy, paths }) => (
        <li key={`${code} ${message} ${remedy}`}>
          <Icon name={icon} />
          <div>
            <Head code={code} paths={paths} />
            <p>{message}</p>
            <p className="remedy">
              <strong>{texts.console.remedy}</strong> {remedy}
            </p>
            {paths.length > 1 && <Places paths={paths} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Head({ code, paths }: Pick<BlockerGroup, 'code' | 'paths'>) {
  const t = texts.console.blockerPaths
  return (
    <p className="blocker-head">
      {paths.length === 1 && <code className="blocker-path">{paths[0]}</code>}
      {paths.length > 1 && (
        <span className="strong">
          {t.count(paths.length)} <CopyButton value={paths.join('\n')} what={t.what(paths.length)} />
        </span>
      )}
      <code className="blocker-code">{code}</code>
    </p>
  )
}

const FIRST = 5
/** The rest can be copied. */
const MOST = 500

function Places({ paths }: { readonly paths: readonly string[] }) {
  // "and 1 more" would take as much space as the path itself.
  const shown = paths.length === FIRST + 1 ? FIRST + 1 : FIRST
  const rest = paths.slice(shown)
  return (
    <>
      <Paths paths={paths.slice(0, shown)} />
      {rest.length > 0 && (
        <Closed className="blocker-rest" title={texts.console.blockerPaths.more(rest.length)}>
          <Paths paths={rest.slice(0, MOST)} />
          {rest.length > MOST && (
            <p className="quiet">{texts.console.blockerPaths.notListed(rest.length - MOST)}</p>
          )}
        </Closed>
      )}
    </>
  )
}

function Paths({ paths }: { readonly paths: readonly string[] }) {
  return (
    <ul className="blocker-paths">
      {paths.map((path, index) => (
        <li key={`${index} ${path}`}>
          <code>{path}</code>
        </li>
      ))}
    </ul>
  )
}
