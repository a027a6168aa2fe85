// docs/decisions/0002
import type { Project, Texts } from './project.ts'

export interface Rule {
  readonly name: string
  /** Shown when the rule is broken. */
  readonly why: string
  /** One line for each place that breaks the rule. */
  readonly violations: (project: Project) => readonly string[]
  /** Files that break the rule, each on its own account, except .json and .md, which set the scene. */
  readonly sample: Texts
}
