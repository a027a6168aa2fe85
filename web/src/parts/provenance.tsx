import { describeProvenance, type ProvenanceEntry, type ProvenanceGroup } from '@kitseal/kit/internal'
import '@kitseal/kit/in-browser/result.css'
import { nameText } from '../core/readable.ts'
import { t } from '../core/texts.ts'
import { Card } from './blocks.tsx'
import { useFirstRows } from './list.tsx'

export interface ProvenanceProps {
  readonly entries: readonly ProvenanceEntry[]
  readonly issuer: string
  /** Whether the kit is verified. If not, nothing is shown as verified. */
  readonly confirmed: boolean
}

/** Where the evidence came from. What is verified and what is stated differ in heading, word and mark. */
export function Provenance({ entries, issuer, confirmed }: ProvenanceProps) {
  const groups = describeProvenance(entries, issuer, confirmed, t)
  if (groups.length === 0) return null
  return (
    <Card title={t('provenance.title')}>
      <div className="provenance">
        {groups.map((group) => (
          <Group key={group.heading} group={group} />
        ))}
      </div>
    </Card>
  )
}

function Group({ group: { is, heading, mark, lines } }: { readonly group: ProvenanceGroup }) {
  const { rows, more } = useFirstRows(lines)
  return (
    <>
      <h3>{heading}</h3>
      <ul className={`checks ${is}`}>
        {rows.map(({ files, text }) => (
          <li key={`${files} ${text}`}>
            <span className="mark" aria-hidden="true">
              {mark}
            </span>
            <span className="word">{t(`view.statements.${is}`)}</span>
            <span className="what">
              {nameText(text)}
              <span className="why">{nameText(files)}</span>
            </span>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
