import type { BinderFinding } from './binder-input.ts'
import { shortened } from './escape-invisible.ts'
import { formatNumber, type Words } from './words.ts'
import {
  COLUMN,
  INK,
  NOTE,
  SOFT,
  SUBHEADING,
  openSection,
  type Layout,
  type Section,
  type Style,
} from './layout.ts'

const MAX_SHOWN = 200
const MAX_PATHS = 5
const MAX_LENGTH = 400
const PATH: Style = { face: 'regular', size: 9.5, leading: 12.5, colour: INK, isPath: true }
const MESSAGE: Style = { face: 'regular', size: 8.5, leading: 12, colour: SOFT }

/** What the service noticed in the evidence: first what the supplier acknowledged, then the notices. */
export function drawFindings(layout: Layout, findings: readonly BinderFinding[]): Section {
  const section = openSection(layout, layout.t('binder.findings.title'))
  layout.paragraph(layout.t('binder.findings.lead', { count: sumOf(findings) }), NOTE, { after: 10 })
  const groups = [
    [layout.t('binder.findings.acknowledged'), findings.filter(({ acknowledged }) => acknowledged)],
    [layout.t('binder.findings.notices'), findings.filter(({ acknowledged }) => !acknowledged)],
  ] as const
  for (const [title, group] of groups) if (group.length > 0) drawGroup(layout, title, group)
  return section
}

/** The texts that need glyphs. */
export function* textsOfFindings(findings: readonly BinderFinding[], words: Words): Generator<string> {
  for (const finding of findings.slice(0, 2 * MAX_SHOWN)) {
    yield messageOf(finding)
    yield* placesOf(finding, words)
  }
}

function drawGroup(layout: Layout, title: string, findings: readonly BinderFinding[]): void {
  layout.ensureSpace(80)
  layout.y += 12
  layout.paragraph(title, SUBHEADING, { role: 'H3', after: 2 })
  for (const finding of findings.slice(0, MAX_SHOWN)) {
    layout.ensureSpace(46)
    layout.y += 8
    for (const place of placesOf(finding, layout.words))
      layout.paragraph(place, PATH, { x: COLUMN.left, width: COLUMN.width })
    layout.paragraph(messageOf(finding), MESSAGE, { x: COLUMN.left, width: COLUMN.width })
  }
  if (findings.length > MAX_SHOWN) {
    layout.y += 8
    layout.paragraph(
      layout.t('binder.more', { count: formatNumber(findings.length - MAX_SHOWN, layout.words) }),
      MESSAGE,
    )
  }
}

const sumOf = (findings: readonly BinderFinding[]): number =>
  findings.reduce((sum, { paths }) => sum + Math.max(1, paths.length), 0)

/** Equal findings are one: their number, and the first files. */
function placesOf({ paths }: BinderFinding, words: Words): readonly string[] {
  if (paths.length === 0) return [words.t('binder.findings.allFiles')]
  const rest = paths.length - MAX_PATHS
  return [
    ...(paths.length > 1 ? [`${words.t('binder.files', { count: paths.length })}:`] : []),
    ...paths.slice(0, MAX_PATHS).map(limited),
    ...(rest > 0 ? [words.t('binder.more', { count: formatNumber(rest, words) })] : []),
  ]
}

const messageOf = ({ message }: BinderFinding): string => limited(message)

const limited = (text: string): string => shortened(text, MAX_LENGTH)
