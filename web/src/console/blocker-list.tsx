import { Icon } from '../parts/icons.tsx'
import { texts } from '../texts/index.ts'
import type { Blocker } from './types.ts'

/** Everything that stands against a kit, each with what to do about it. */
export function BlockerList({ blockers }: { readonly blockers: readonly Blocker[] }) {
  return (
    <ul className="blockers">
      {blockers.map(({ code, path, message, remedy }, index) => (
        <li key={`${code} ${path ?? ''} ${index}`}>
          <Icon name="cross" />
          <div>
            <p className="blocker-head">
              {path !== null && <code className="blocker-path">{path}</code>}
              <code className="blocker-code">{code}</code>
            </p>
            <p>{message}</p>
            <p className="remedy">
              <strong>{texts.console.remedy}</strong> {remedy}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
