import type { Project, Texts } from './project.ts'

export interface Rule {
  readonly name: string
  /** Shown when the rule is violated. */
  readonly why: string
  /** One line per violation. */
  readonly violations: (project: Project) => readonly string[]
  /** Files that each violate the rule; .json and .md files only provide context. */
  readonly sample: Texts
}
