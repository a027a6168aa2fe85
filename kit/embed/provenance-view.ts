import { describeProvenance, type ProvenanceGroup } from '../src/provenance-text.ts'
import { element } from './elements.ts'
import type { Result } from './verdict.ts'
import { t } from './words.ts'

const MAX_SHOWN_LINES = 50

/** Where the evidence came from. What is verified and what is stated differ in heading, word and mark. */
export function provenanceView({ report, receipt }: Result): HTMLElement | undefined {
  const { provenance } = report
  if (provenance === undefined || receipt === undefined) return undefined
  const { entries, problem, confirmed } = provenance
  const groups = describeProvenance(entries, receipt.issuer, confirmed, t)
  if (problem === null && groups.length === 0) return undefined
  const body = element('div', { class: 'provenance' }, ...groups.flatMap(provenanceGroup))
  if (problem !== null) body.append(element('p', {}, t('view.notShown', { why: problem })))
  return body
}

function provenanceGroup({ is, heading, mark, lines }: ProvenanceGroup): readonly HTMLElement[] {
  const rows = lines
    .slice(0, MAX_SHOWN_LINES)
    .map(({ files, text }) =>
      element(
        'li',
        {},
        element('span', { class: 'mark', 'aria-hidden': 'true' }, mark),
        element('span', { class: 'word' }, `${t(`view.statements.${is}`)} `),
        element('span', { class: 'what' }, text, element('span', { class: 'why' }, files)),
      ),
    )
  const hidden = lines.length - rows.length
  if (hidden > 0) rows.push(element('li', {}, t('view.more', { count: String(hidden) })))
  return [element('h4', {}, heading), element('ul', { class: `checks ${is}` }, ...rows)]
}
