import { FIRST_PATHS, groupFindings } from '@kitseal/examiner/group-findings'
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

/** What does not block: first accepted secrets, then what else was accepted, then notices. Nothing if there are none. */
export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  const secrets = secretsIn(findings)
  const groups = [
    ['problemsAccepted', findings.filter((one) => one.class !== 'secret' && one.acknowledged)],
    ['notices', findings.filter(({ acknowledged }) => !acknowledged)],
  ] as const
  return (
    <>
      {secrets.length > 0 && (
        <Card title={t('findings.secretsAccepted', { count: secrets.length })}>
          <BlockerList blockers={secrets} icon="warning" />
        </Card>
      )}
      {groups.map(
        ([name, list]) =>
          list.length > 0 && (
            <Closed
              className="card"
              key={name}
              title={t('findings.which', {
                what: t(`findings.${name}`, { count: list.length }),
                sentences: rulesOf(list).slice(0, MOST_RULES).join(' '),
              })}
            >
              <BlockerList blockers={list} icon="dash" />
            </Closed>
          ),
      )}
    </>
  )
}

/** Named in the title of a closed list. */
const MOST_RULES = 3

const rulesOf = (findings: readonly Finding[]): readonly string[] => [...new Set(findings.map(ruleText))]

/** Shown before something is reviewed or shared. Nothing if there are none. */
export function PossibleSecrets({ findings }: { readonly findings: readonly Finding[] }) {
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
          <p className="row">
            <Icon name={icon} className="icon bad" />
            {paths.length === 1 && <code className="strong">{paths[0]}</code>}
            {paths.length > 1 && (
              <span className="strong">
                {t('findings.paths.count', { count: paths.length })}{' '}
                <CopyButton
                  value={paths.join('\n')}
                  what={t('findings.paths.what', { count: paths.length })}
                />
              </span>
            )}
          </p>
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

/** The rest can be copied. */
const MOST = 500

function Places({ paths }: { readonly paths: readonly string[] }) {
  const rest = paths.slice(FIRST_PATHS)
  return (
    <>
      {listOf(paths.slice(0, FIRST_PATHS))}
      {rest.length > 0 && (
        <Closed className="more" title={t('findings.paths.more', { count: rest.length })}>
          {listOf(rest.slice(0, MOST))}
          {rest.length > MOST && (
            <p className="quiet">{t('findings.paths.notListed', { count: rest.length - MOST })}</p>
          )}
        </Closed>
      )}
    </>
  )
}

const listOf = (paths: readonly string[]): ReactNode => (
  <ul className="blocker-paths">
    {paths.map((path, index) => (
      <li key={`${index} ${path}`}>
        <code>{path}</code>
      </li>
    ))}
  </ul>
)
