import { FIRST_PATHS, type FindingGroup, groupFindings } from '@kitseal/examiner/group-findings'
import { type ReactNode, useState } from 'react'
import { detailText, ruleText, spoken } from '../evidence/finding-text.ts'
import { Card, Notice } from '../parts/blocks.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon, type IconName } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'
import { type Blocker, type Finding, isTruncated, countListed, secretsIn } from './blocker-groups.ts'
import '../styles/blockers.css'

/** "3 blockers", or "499+ blockers" if the list is truncated. */
export const blockersText = (blockers: readonly Blocker[]): string =>
  texts.console.blockers(countListed(blockers), isTruncated(blockers))

interface FindingListProps {
  readonly findings: readonly Finding[]
}

/** What does not block: first accepted secrets, then what else was accepted, then notices. Nothing if there are none. */
export function FindingList({ findings }: FindingListProps) {
  const t = texts.console.findings
  const secrets = secretsIn(findings)
  const groups = [
    {
      title: t.problemsAccepted,
      list: findings.filter((one) => one.class !== 'secret' && one.acknowledged),
    },
    { title: t.notices, list: findings.filter(({ acknowledged }) => !acknowledged) },
  ]
  return (
    <>
      {secrets.length > 0 && (
        <Card title={t.secretsAccepted(secrets.length)}>
          <BlockerList blockers={secrets} icon="warning" />
        </Card>
      )}
      {groups
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <Closed
            className="card findings"
            key={title(0)}
            title={t.which(title(list.length), rulesOf(list).slice(0, MOST_RULES))}
          >
            <BlockerList blockers={list} icon="dash" />
          </Closed>
        ))}
    </>
  )
}

/** Named in the title of a closed list. */
const MOST_RULES = 3

const rulesOf = (findings: readonly Finding[]): readonly string[] => [...new Set(findings.map(ruleText))]

/** Shown before something is reviewed or shared. Nothing if there are none. */
export function PossibleSecrets({ findings }: FindingListProps) {
  const t = texts.console.findings
  const secrets = secretsIn(findings)
  if (secrets.length === 0) return null
  return (
    <Notice tone="warn" title={t.secrets(secrets.length)}>
      <ul>
        {secrets.map((secret) => (
          <li key={secret.path}>{t.secretAt(secret.path ?? '', placeIn(secret))}</li>
        ))}
      </ul>
    </Notice>
  )
}

/** "line 2: AWS access key ID AKIA…" */
function placeIn(finding: Finding): string {
  const place = detailText(finding)
  return `${place.charAt(0).toLowerCase()}${place.slice(1)}`
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
      {groupFindings(blockers.map(spoken)).map(({ code, message, remedy, paths }) => (
        <li key={`${code} ${message} ${remedy}`}>
          <Icon name={icon} />
          <div>
            <Head paths={paths} />
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

function Head({ paths }: Pick<FindingGroup<Blocker>, 'paths'>) {
  const t = texts.console.blockerPaths
  if (paths.length === 0) return null
  return (
    <p className="blocker-head">
      {paths.length === 1 && <code className="blocker-path">{paths[0]}</code>}
      {paths.length > 1 && (
        <span className="strong">
          {t.count(paths.length)} <CopyButton value={paths.join('\n')} what={t.what(paths.length)} />
        </span>
      )}
    </p>
  )
}

/** The rest can be copied. */
const MOST = 500

function Places({ paths }: { readonly paths: readonly string[] }) {
  // "and 1 more" would take as much space as the path itself.
  const shown = paths.length === FIRST_PATHS + 1 ? FIRST_PATHS + 1 : FIRST_PATHS
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
