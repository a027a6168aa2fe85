import { FIRST_PATHS, type FindingGroup, groupFindings } from '@kitseal/examiner/group-findings'
import { type ReactNode, useState } from 'react'
import {
  detailText,
  ruleText,
  spoken,
  type Blocker,
  type Finding,
  isTruncated,
  countListed,
  secretsIn,
} from '../core/findings.ts'
import { Card, Notice } from './blocks.tsx'
import { CopyButton } from './copy-button.tsx'
import { Icon, type IconName } from './icons.tsx'
import { t } from '../core/texts.ts'

/** "3 blockers", or "499+ blockers" if the list is truncated. */
export const blockersText = (blockers: readonly Blocker[]): string =>
  t('findings.blockers', { count: countListed(blockers), areMore: isTruncated(blockers) })

interface FindingListProps {
  readonly findings: readonly Finding[]
}

/** What does not block: first accepted secrets, then what else was accepted, then notices. Nothing if there are none. */
export function FindingList({ findings }: FindingListProps) {
  const secrets = secretsIn(findings)
  const groups = [
    {
      title: (count: number) => t('findings.problemsAccepted', { count }),
      list: findings.filter((one) => one.class !== 'secret' && one.acknowledged),
    },
    {
      title: (count: number) => t('findings.notices', { count }),
      list: findings.filter(({ acknowledged }) => !acknowledged),
    },
  ]
  return (
    <>
      {secrets.length > 0 && (
        <Card title={t('findings.secretsAccepted', { count: secrets.length })}>
          <BlockerList blockers={secrets} icon="warning" />
        </Card>
      )}
      {groups
        .filter(({ list }) => list.length > 0)
        .map(({ title, list }) => (
          <Closed
            className="card"
            key={title(0)}
            title={t('findings.which', {
              what: title(list.length),
              sentences: rulesOf(list).slice(0, MOST_RULES).join(' '),
            })}
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
  const secrets = secretsIn(findings)
  if (secrets.length === 0) return null
  return (
    <Notice tone="warn" title={t('findings.secrets', { count: secrets.length })}>
      <ul>
        {secrets.map((secret) => (
          <li key={secret.path}>
            {t('findings.secretAt', { path: secret.path ?? '', place: placeIn(secret) })}
          </li>
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
    <ul className="blockers lines">
      {groupFindings(blockers.map(spoken)).map(({ code, message, remedy, paths }) => (
        <li key={`${code} ${message} ${remedy}`}>
          <Head paths={paths} icon={icon} />
          <p>{message}</p>
          <p>
            <strong>{t('findings.remedy')}</strong> {remedy}
          </p>
          {paths.length > 1 && <Places paths={paths} />}
        </li>
      ))}
    </ul>
  )
}

type HeadProps = Pick<FindingGroup<Blocker>, 'paths'> & { readonly icon: IconName }

function Head({ paths, icon }: HeadProps) {
  return (
    <p className="row">
      <Icon name={icon} className="icon bad" />
      {paths.length === 1 && <code className="strong">{paths[0]}</code>}
      {paths.length > 1 && (
        <span className="strong">
          {t('findings.paths.count', { count: paths.length })}{' '}
          <CopyButton value={paths.join('\n')} what={t('findings.paths.what', { count: paths.length })} />
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
        <Closed className="more" title={t('findings.paths.more', { count: rest.length })}>
          <Paths paths={rest.slice(0, MOST)} />
          {rest.length > MOST && (
            <p className="quiet">{t('findings.paths.notListed', { count: rest.length - MOST })}</p>
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
