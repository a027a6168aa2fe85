import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'
import { type BlockerGroup, grouped, isCut, listed } from './blocker-groups.ts'
import type { Blocker } from './types.ts'

/** "3 blockers", or "499+ blockers" where not all are listed. */
export const blockersText = (blockers: readonly Blocker[]): string =>
  texts.console.blockers(listed(blockers), isCut(blockers))

/** Everything that stands against a kit, each with what to do about it, and where. */
export function BlockerList({ blockers }: { readonly blockers: readonly Blocker[] }) {
  return (
    <ul className="blockers">
      {grouped(blockers).map(({ code, message, remedy, paths }) => (
        <li key={`${code} ${message} ${remedy}`}>
          <Icon name="cross" />
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
  const t = texts.console.blockerPlaces
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

function Places({ paths }: { readonly paths: readonly string[] }) {
  // One line that says "and 1 more" is no shorter than that one.
  const shown = paths.length === FIRST + 1 ? FIRST + 1 : FIRST
  const rest = paths.slice(shown)
  return (
    <>
      <Paths paths={paths.slice(0, shown)} />
      {rest.length > 0 && (
        <details className="blocker-rest">
          <summary>{texts.console.blockerPlaces.more(rest.length)}</summary>
          <Paths paths={rest} />
        </details>
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
